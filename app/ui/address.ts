import { defaultUrlTransform } from "react-markdown";

/** Returns the URL, or "" if its scheme is not allowed in links and pictures (specification §2, Markdown rendering). */
export const safeAddress = (address: string | null | undefined) => defaultUrlTransform(address ?? "");

/** The host name without `www.`, or "" if the URL has none. */
export function hostOf(address: string): string {
  const safe = safeAddress(address);
  return URL.canParse(safe) ? new URL(safe).hostname.replace(/^www\./, "") : "";
}
