/** The schemes that may be opened or loaded (specification §2, Markdown rendering). */
const SAFE_SCHEME = /^(https?|ircs?|mailto|xmpp)$/i;

/**
 * Takes an address as a member typed it, returns it unchanged when its scheme is allowed or it is relative,
 * otherwise the empty text. The same rule holds for links, avatars and profiles (contract, last line), and is
 * react-markdown's: a colon counts as a scheme's only before the first `/`, `?` or `#`.
 */
export function safeAddress(address: string | null | undefined): string {
  const value = address ?? "";
  const colon = value.indexOf(":");
  const firstOther = value.search(/[/?#]/);
  const isRelative = colon === -1 || (firstOther !== -1 && colon > firstOther);
  return isRelative || SAFE_SCHEME.test(value.slice(0, colon)) ? value : "";
}
