import type { Settings } from "../config/settings.ts";

const HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-permitted-cross-domain-policies": "none",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Browsers apply these only over TLS, and log a warning about the first one otherwise. */
const TLS_HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
};

/** For every response other than a page. Nothing in it may run or load, whatever a browser takes it for. */
const CLOSED_POLICY = {
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** `isProduction` is false in development, where Vite adds scripts to pages without a policy. */
export function securityHeaders({ siteUrl }: Pick<Settings, "siteUrl">, isProduction = true) {
  return {
    ...HEADERS,
    ...(siteUrl.startsWith("https:") && TLS_HEADERS),
    ...(isProduction && CLOSED_POLICY),
  };
}
