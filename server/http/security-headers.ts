import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Settings } from "../config/settings.ts";

/** Every page has the same styles and the same starter; their hashes are worked out once. */
const known = new LRUCache<string, string>({ max: 20 });

/** A character for each byte, so that a document need not be decoded. */
const BYTES = "latin1";

function sourceOf(content: string): string {
  const source = known.get(content) ?? `'sha256-${hash("sha256", Buffer.from(content, BYTES), "base64")}'`;
  known.set(content, source);
  return source;
}

function hashesOf(html: string, element: "script" | "style"): string {
  const hashes = new Set<string>();
  for (const [, content] of html.matchAll(
    new RegExp(`<${element}(?![^>]* src=)[^>]*>([^]*?)</${element}>`, "g"),
  )) {
    if (content) hashes.add(sourceOf(content));
  }
  return [...hashes].join(" ");
}

/**
 * Takes a rendered document in UTF-8, returns the Content-Security-Policy under which exactly its own inline scripts and
 * styles run, and connect to the backend. Hashes, because a cached page would repeat a nonce (OWASP ASVS 5, V3.4).
 */
export function contentSecurityPolicy(document: Buffer, backendUrl: string): string {
  const html = document.toString(BYTES);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashesOf(html, "script")}`,
    `style-src 'self' ${hashesOf(html, "style")}`,
    "font-src 'self'",
    "img-src 'self' https: http:",
    `connect-src 'self'${backendUrl === "" ? "" : ` ${new URL(backendUrl).origin}`}`,
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The policy of every answer that is no page: whatever a browser takes it for, nothing in it runs or is loaded. */
export const CLOSED_POLICY =
  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Takes the settings, returns the headers that every answer carries (OWASP Secure Headers Project), but for its policy. */
export function securityHeaders({ siteUrl }: Pick<Settings, "siteUrl">): Record<string, string> {
  return {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Permitted-Cross-Domain-Policies": "none",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    // Browsers heed these behind TLS only, and complain on the console about the first elsewhere.
    ...(siteUrl.startsWith("https:") && {
      "Cross-Origin-Opener-Policy": "same-origin",
      "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    }),
  };
}
