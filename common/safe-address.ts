const ALLOWED_SCHEME = /^(https?|ircs?|mailto|xmpp)$/i;

/** Returns the URL, or "" if its scheme is not allowed in links and pictures (specification §2, Markdown rendering). */
export function safeAddress(address: string | null | undefined): string {
  if (!address) return "";
  const [beforePath = ""] = address.split(/[/?#]/, 1);
  const colon = beforePath.indexOf(":");
  return colon < 0 || ALLOWED_SCHEME.test(beforePath.slice(0, colon)) ? address : "";
}

/** The host name without `www.`, or "" if the URL has none. */
export function hostOf(address: string): string {
  const safe = safeAddress(address);
  return URL.canParse(safe) ? new URL(safe).hostname.replace(/^www\./, "") : "";
}
