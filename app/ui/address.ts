import { defaultUrlTransform } from "react-markdown";

/** Empty for a scheme that Markdown's rule refuses (specification §2, Markdown rendering). */
export const safeAddress = (address: string | null | undefined) => defaultUrlTransform(address ?? "");

/** Without `www.`; empty where the address has none. */
export function hostOf(address: string): string {
  const safe = safeAddress(address);
  return URL.canParse(safe) ? new URL(safe).hostname.replace(/^www\./, "") : "";
}
