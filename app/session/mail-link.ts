/**
 * A link from an email, or the address that a sign-in at a provider leads to. `dead` means that the auth service has
 * already rejected it, with this error code.
 */
export type MailLink =
  | { form: "code"; code: string }
  | { form: "token"; token_hash: string; type: string }
  /** An invitation from hosted Supabase, with session tokens in the fragment. */
  | { form: "session"; access_token: string; refresh_token: string; type: string }
  | { form: "dead"; code: string };

/** Reads such a link from the query and the fragment of the page's URL. Returns null if they contain none. */
export function readMailLink({ search, hash }: { search: string; hash: string }): MailLink | null {
  const parameters = new URLSearchParams(hash.slice(1));
  for (const [name, value] of new URLSearchParams(search)) parameters.set(name, value);
  const get = (name: string) => parameters.get(name) ?? "";
  const type = get("type");
  if (get("error_code") || get("error_description")) {
    return { form: "dead", code: get("error_code") || get("error") };
  }
  if (get("code")) return { form: "code", code: get("code") };
  if (get("token_hash")) return { form: "token", token_hash: get("token_hash"), type };
  if (!get("access_token")) return null;
  return { form: "session", access_token: get("access_token"), refresh_token: get("refresh_token"), type };
}

/** Whether the link creates an account (contract, "Invitation links"). */
export const createsAccount = (link: MailLink): boolean => link.form === "token" && link.type === "join";

/**
 * Whether members must choose a password after signing in with the link. `isRecovery` is true unless this browser
 * requested the link's code for a sign-in at a provider.
 */
export function setsPassword(link: MailLink, isRecovery = true): boolean {
  return (
    (link.form === "code" && isRecovery) ||
    ("type" in link && (link.type === "invite" || link.type === "recovery"))
  );
}

/** The details of a new account that its owner enters. */
export interface NewAccount {
  password: string;
  full_name: string;
  username: string;
}
