/** The schemes that may be opened or loaded (specification §2, Markdown rendering). */
const SAFE_SCHEME = /^(https?|ircs?|mailto|xmpp)$/i;

/**
 * The address as it is when its scheme is allowed or it is relative, otherwise the empty text. The rule of Markdown's
 * links holds for all addresses (contract, "Labels and controls"): a colon ends a scheme only before the first `/`, `?`
 * or `#`.
 */
export function safeAddress(address: string | null | undefined): string {
  const value = address ?? "";
  const colon = value.indexOf(":");
  const firstOther = value.search(/[/?#]/);
  const isRelative = colon === -1 || (firstOther !== -1 && colon > firstOther);
  return isRelative || SAFE_SCHEME.test(value.slice(0, colon)) ? value : "";
}

/** The host that an address leads to, without `www.`; empty where it names none. */
export function hostOf(address: string): string {
  const safe = safeAddress(address);
  return URL.canParse(safe) ? new URL(safe).hostname.replace(/^www\./, "") : "";
}
