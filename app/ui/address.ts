import { defaultUrlTransform } from "react-markdown";

/** Returns "" for URL schemes that are not allowed in Markdown (specification §2, Markdown rendering). */
export const safeAddress = (address: string | null | undefined) => defaultUrlTransform(address ?? "");

/** The host name without `www.`, or "" if the URL has none. */
export function hostOf(address: string): string {
  const safe = safeAddress(address);
  return URL.canParse(safe) ? new URL(safe).hostname.replace(/^www\./, "") : "";
}
