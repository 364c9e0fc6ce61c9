import { Hono } from "hono";
import type { Settings } from "../config/settings.ts";
import { commonHeaders } from "./common-headers.ts";
import { securityHeaders } from "./security-headers.ts";

export function starting(settings: Pick<Settings, "siteUrl">): Pick<Hono, "fetch"> {
  return new Hono()
    .use(commonHeaders)
    .use(securityHeaders(settings))
    .all("*", (context) => context.text("Techfolio is starting\n", 503, { "Retry-After": "1" }));
}
