/** `backendUrl` is empty if the site is its own backend. */
export function contentSecurityPolicy(nonce: string, backendUrl: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' https: http:",
    `connect-src 'self'${backendUrl === "" ? "" : ` ${new URL(backendUrl).origin}`}`,
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
