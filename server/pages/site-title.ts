import type { Settings } from "../config/settings.ts";

/** Specification §1, Users. */
export function siteTitle(
  { siteName, siteDomain }: Pick<Settings, "siteName" | "siteDomain">,
  host: string,
): string {
  const isOwnDomain = host.toLowerCase().includes(siteDomain);
  return `${siteName}.${isOwnDomain ? "com" : "pro"}`;
}
