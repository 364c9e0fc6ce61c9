import type { EmailOtpType } from "@supabase/auth-js";

/** What the auth service puts into the address of the page that its links lead to. */
export type AuthAnswer =
  | { kind: "code"; code: string }
  | { kind: "link"; tokenHash: string; type: EmailOtpType }
  /** A whole session, as links that nobody asked for from a browser lead to: a hosted project's invitations. */
  | { kind: "tokens"; accessToken: string; refreshToken: string; type: EmailOtpType }
  | { kind: "failure" };

const TYPES = new Set<string>(["invite", "recovery", "signup", "magiclink", "email", "email_change"]);
const PARAMETERS = [
  "code",
  "token_hash",
  "type",
  "error",
  "error_code",
  "error_description",
  "sb",
  "access_token",
  "refresh_token",
  "expires_in",
  "expires_at",
  "token_type",
];

/**
 * Reads the auth service's answer from a page's whole address. Tokens count as a dead link where the backend does not
 * invite with them: whoever can write a link could sign its reader in as somebody else.
 */
export function readAuthAnswer(address: string, invitesWithTokens = false): AuthAnswer | null {
  const url = new URL(address);
  const fields = new URLSearchParams(url.hash.slice(1));
  for (const [name, value] of url.searchParams) fields.set(name, value);
  const get = (name: string) => fields.get(name) ?? "";

  if (get("error_code") || get("error_description")) return { kind: "failure" };
  if (get("code")) return { kind: "code", code: get("code") };
  const type = get("type") as EmailOtpType;
  if (!TYPES.has(type)) return null;
  if (get("token_hash")) return { kind: "link", tokenHash: get("token_hash"), type };
  if (!get("access_token") || !get("refresh_token")) return null;
  if (!invitesWithTokens) return { kind: "failure" };
  return { kind: "tokens", accessToken: get("access_token"), refreshToken: get("refresh_token"), type };
}

/** An answer works once, and nobody should bookmark it. */
export function withoutAuthAnswer(address: string): string {
  const url = new URL(address);
  for (const name of PARAMETERS) url.searchParams.delete(name);
  url.hash = "";
  return url.href;
}
