import type { EmailOtpType } from "@supabase/auth-js";

export type AuthAnswer =
  | { kind: "code"; code: string }
  | { kind: "link"; tokenHash: string; type: EmailOtpType }
  /** A whole session: a hosted project's invitations. */
  | { kind: "tokens"; accessToken: string; refreshToken: string; type: EmailOtpType }
  | { kind: "failure" };

const TYPES = new Set<string>(["invite", "recovery", "signup", "magiclink", "email", "email_change"]);

/** Tokens count as a dead link unless the backend invites with them: anyone can write a link with their own. */
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
