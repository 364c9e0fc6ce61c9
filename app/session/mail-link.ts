/** A link from an email. `dead` means that the auth service has already rejected it. */
export type MailLink =
  | { form: "code"; code: string }
  | { form: "token"; token_hash: string; type: string }
  /** An invitation from hosted Supabase, with session tokens in the fragment. */
  | { form: "session"; access_token: string; refresh_token: string; type: string }
  | { form: "dead" };

/** Reads a mailed link from the query and the fragment of the page's URL. Returns null if they contain none. */
export function readMailLink({ search, hash }: { search: string; hash: string }): MailLink | null {
  const parameters = new URLSearchParams(hash.slice(1));
  for (const [name, value] of new URLSearchParams(search)) parameters.set(name, value);
  const get = (name: string) => parameters.get(name) ?? "";
  const type = get("type");
  if (get("error_code") || get("error_description")) return { form: "dead" };
  if (get("code")) return { form: "code", code: get("code") };
  if (get("token_hash")) return { form: "token", token_hash: get("token_hash"), type };
  if (!get("access_token")) return null;
  return { form: "session", access_token: get("access_token"), refresh_token: get("refresh_token"), type };
}

/**
 * Whether members must choose a password after signing in with the link. A link with a code is always for password
 * recovery, because the site requests such links for nothing else.
 */
export function setsPassword(link: MailLink): boolean {
  return link.form === "code" || ("type" in link && (link.type === "invite" || link.type === "recovery"));
}
