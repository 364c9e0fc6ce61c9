import type { Settings } from "../config/settings.ts";

const HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-permitted-cross-domain-policies": "none",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Browsers heed these behind TLS only, and complain about the first elsewhere. */
const TLS_HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
};

/** For every answer but a page: whatever a browser takes it for, nothing in it runs or is loaded. */
const CLOSED_POLICY = {
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** `isProduction` is false while Vite adds scripts to pages that have no policy of their own. */
export function securityHeaders({ siteUrl }: Pick<Settings, "siteUrl">, isProduction = true) {
  return {
    ...HEADERS,
    ...(siteUrl.startsWith("https:") && TLS_HEADERS),
    ...(isProduction && CLOSED_POLICY),
  };
}
