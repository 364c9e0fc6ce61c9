import type { MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Settings } from "../config/settings.ts";

const POLICY = "Content-Security-Policy";

/** For every answer but a page: whatever a browser takes it for, nothing in it runs or is loaded. */
const CLOSED_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of the OWASP Secure Headers Project. `isProduction` is false while Vite adds scripts to the pages. */
export function securityHeaders(
  { siteUrl }: Pick<Settings, "siteUrl">,
  isProduction = true,
): MiddlewareHandler {
  // Browsers heed these behind TLS only, and complain about the first elsewhere.
  const isSecure = siteUrl.startsWith("https:");
  const sameForAll = secureHeaders({
    xFrameOptions: "DENY",
    referrerPolicy: "strict-origin-when-cross-origin",
    permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
    crossOriginOpenerPolicy: isSecure,
    strictTransportSecurity: isSecure && "max-age=31536000; includeSubDomains",
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xXssProtection: false,
  });
  return (context, next) =>
    sameForAll(context, async () => {
      await next();
      const { headers } = context.res;
      if (isProduction && !headers.has(POLICY)) headers.set(POLICY, CLOSED_POLICY);
    });
}
