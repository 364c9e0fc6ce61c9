import type { MiddlewareHandler } from "hono";
import type { Settings } from "../config/settings.ts";

declare module "hono" {
  interface ContextVariableMap {
    siteTitle: string;
  }
}

type TitleSettings = Pick<Settings, "siteName" | "siteDomain">;

/**
 * Returns SITE_NAME with `.com` on hosts whose name contains SITE_DOMAIN, and with `.pro` on others (specification §1).
 */
export function siteTitle({ siteName, siteDomain }: TitleSettings, host: string): string {
  const isOwnDomain = host.toLowerCase().includes(siteDomain);
  return `${siteName}.${isOwnDomain ? "com" : "pro"}`;
}

export function setSiteTitle(settings: TitleSettings): MiddlewareHandler {
  return (c, next) => {
    c.set("siteTitle", siteTitle(settings, new URL(c.req.url).hostname));
    return next();
  };
}
