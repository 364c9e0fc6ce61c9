import type { Settings } from "../config/settings.ts";

/** Takes the settings and the request's host name, returns the site title (specification §1, Users). */
export function siteTitle(
  { siteName, siteDomain }: Pick<Settings, "siteName" | "siteDomain">,
  host: string,
): string {
  const isOwnDomain = host.toLowerCase().includes(siteDomain.toLowerCase());
  return `${siteName}.${isOwnDomain ? "com" : "pro"}`;
}
