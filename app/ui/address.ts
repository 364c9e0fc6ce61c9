/** Specification §2, Markdown rendering. */
const SAFE_SCHEME = /^(https?|ircs?|mailto|xmpp)$/i;

/** Empty for a refused scheme. A colon ends a scheme only before the first `/`, `?` or `#`. */
export function safeAddress(address: string | null | undefined): string {
  const value = address ?? "";
  const colon = value.indexOf(":");
  const firstOther = value.search(/[/?#]/);
  const isRelative = colon === -1 || (firstOther !== -1 && colon > firstOther);
  return isRelative || SAFE_SCHEME.test(value.slice(0, colon)) ? value : "";
}

/** Without `www.`; empty where the address has none. */
export function hostOf(address: string): string {
  const safe = safeAddress(address);
  return URL.canParse(safe) ? new URL(safe).hostname.replace(/^www\./, "") : "";
}
