import type { ClientBase } from "pg";
import { digest, randomToken } from "../opaque-tokens.ts";
import type { Challenge } from "../pkce.ts";
import { dropCodes, storeCode } from "./codes.ts";

const KINDS = {
  recovery: { type: "recovery_token", lifetime: "1 hour", sent: "recovery_sent_at = now()" },
  invite: {
    type: "confirmation_token",
    lifetime: "7 days",
    sent: "confirmation_sent_at = now(), invited_at = now()",
  },
};

export type LinkKind = keyof typeof KINDS;

export function isLinkKind(type: string): type is LinkKind {
  return Object.hasOwn(KINDS, type);
}

/** The stored form says what the token is for, so a token for one thing opens no other. */
function storedToken(kind: LinkKind, token: string): string {
  return digest(`${kind}:${token}`);
}

/** Ends the links of its kind that were sent before. With a challenge the token is a code. */
export async function createLinkToken(
  client: ClientBase,
  user: { id: string; email: string },
  kind: LinkKind,
  challenge?: Challenge,
): Promise<string> {
  const token = randomToken();
  const { type, sent } = KINDS[kind];
  // First, so that requests for one account take turns.
  await client.query(`update auth.users set ${sent} where id = $1`, [user.id]);
  const drop = "delete from auth.one_time_tokens where user_id = $1 and token_type = $2";
  await client.query(drop, [user.id, type]);
  await dropCodes(client, user.id);
  if (challenge) {
    await storeCode(client, user.id, token, challenge);
  } else {
    const store = `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
      values (gen_random_uuid(), $1, $2, $3, $4)`;
    await client.query(store, [user.id, type, storedToken(kind, token), user.email]);
  }
  return token;
}

export async function redeemLinkToken(
  client: ClientBase,
  kind: LinkKind,
  token: string,
): Promise<string | undefined> {
  const text = `delete from auth.one_time_tokens where token_hash = $1 and created_at >= now() - $2::interval
    returning user_id as "userId"`;
  const used = await client.query<{ userId: string }>(text, [storedToken(kind, token), KINDS[kind].lifetime]);
  return used.rows[0]?.userId;
}

type Answer = { code: string } | { token_hash: string; type: LinkKind };

/** Only the page redeems it: fetching the link does not use it up. */
export function pageLink(redirectTo: string, answer: Answer): string {
  const link = new URL(redirectTo);
  for (const [name, value] of Object.entries(answer)) link.searchParams.set(name, value);
  return link.href;
}
