import { hash } from "node:crypto";
import type { InlineCode } from "../../app/site.ts";

const sourceOf = (code: string) => `'sha256-${hash("sha256", code, "base64")}'`;

/** Hashes, because a cached page would repeat a nonce (OWASP ASVS 5, V3.4). An empty `backendUrl` is the site's own. */
export function contentSecurityPolicy({ scripts, styles }: InlineCode, backendUrl: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(scripts.map(sourceOf))].join(" "),
    ["style-src 'self'", ...new Set(styles.map(sourceOf))].join(" "),
    "font-src 'self'",
    "img-src 'self' https: http:",
    `connect-src 'self'${backendUrl === "" ? "" : ` ${new URL(backendUrl).origin}`}`,
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
