import type { Site } from "../../app/site.ts";
import type { Keys } from "../config/keys.ts";
import type { Settings } from "../config/settings.ts";

/** Takes the settings and the request's host name, returns the site title (specification §1, Users). */
export function siteTitle(
  { siteName, siteDomain }: Pick<Settings, "siteName" | "siteDomain">,
  host: string,
): string {
  const isOwnDomain = host.toLowerCase().includes(siteDomain.toLowerCase());
  return `${siteName}.${isOwnDomain ? "com" : "pro"}`;
}

/** Takes settings, keys (none with SUPABASE_URL) and the site title, returns what pages tell of the site. */
export function describeSite(
  settings: Settings,
  keys: Pick<Keys, "anonKey"> | undefined,
  title: string,
): Site {
  return {
    title,
    url: settings.siteUrl,
    backend: settings.supabase
      ? { url: settings.supabase.url, key: settings.supabase.publishableKey }
      : { url: "", key: keys?.anonKey ?? "" },
  };
}
