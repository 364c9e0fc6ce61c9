import type { Settings } from "../config/settings.ts";

const HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-permitted-cross-domain-policies": "none",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/**
 * Sent only if the site uses TLS: otherwise, browsers ignore these headers, and warn about cross-origin-opener-policy
 * in the console.
 */
const TLS_HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
};

/** For responses without a policy of their own: even if a browser treats one as a page, nothing in it can run or load. */
const CLOSED_POLICY = {
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Omits the Content-Security-Policy in development, because it would block the scripts that Vite injects. */
export function securityHeaders({ siteUrl }: Pick<Settings, "siteUrl">, isProduction = true) {
  return {
    ...HEADERS,
    ...(siteUrl.startsWith("https:") && TLS_HEADERS),
    ...(isProduction && CLOSED_POLICY),
  };
}
