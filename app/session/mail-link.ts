const ANSWERS = ["code", "token_hash", "access_token", "error_code", "error_description"];

/** What a mail's link says before or behind the `#` of the address that it leads to; null where nothing does. */
export function readMailLink(address: string): URLSearchParams | null {
  const url = new URL(address);
  const link = new URLSearchParams(url.hash.slice(1));
  for (const [name, value] of url.searchParams) link.set(name, value);
  return ANSWERS.some((name) => link.get(name)) ? link : null;
}
