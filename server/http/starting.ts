import { Hono } from "hono";
import type { Settings } from "../config/settings.ts";
import { securityHeaders } from "./security-headers.ts";

/** Answers every request while the database starts. */
export function starting(settings: Pick<Settings, "siteUrl">): Hono {
  return new Hono()
    .use(securityHeaders(settings))
    .all("*", (context) => context.text("Techfolio is starting\n", 503, { "Retry-After": "1" }));
}
