import type { Settings } from "../config/settings.ts";

const HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-permitted-cross-domain-policies": "none",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Browsers ignore these without TLS, and warn about the first one in the console. */
const TLS_HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
};

/** The policy of all responses except pages: even if a browser treats one as a page, nothing in it can run or load. */
const CLOSED_POLICY = {
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** In development, a Content-Security-Policy would block the scripts that Vite injects. */
export function securityHeaders({ siteUrl }: Pick<Settings, "siteUrl">, isProduction = true) {
  return {
    ...HEADERS,
    ...(siteUrl.startsWith("https:") && TLS_HEADERS),
    ...(isProduction && CLOSED_POLICY),
  };
}
