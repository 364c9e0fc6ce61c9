import type { ClientBase } from "pg";
import { digest, randomToken } from "../opaque-tokens.ts";
import type { Challenge } from "../pkce.ts";

/** The column for the code gets a random value: none is issued before the link is opened. */
export async function storeChallenge(
  client: ClientBase,
  userId: string,
  { method, value }: Challenge,
): Promise<void> {
  const text = `insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge,
      provider_type, authentication_method, created_at, updated_at)
    values (gen_random_uuid(), $1, gen_random_uuid(), $2, $3, 'recovery', 'recovery', now(), now())`;
  await client.query(text, [userId, method, value]);
}

export async function issueCode(client: ClientBase, userId: string): Promise<string | undefined> {
  const code = randomToken();
  const text = `update auth.flow_state set auth_code = $2, auth_code_issued_at = now(), updated_at = now()
    where user_id = $1`;
  const issued = await client.query(text, [userId, digest(code)]);
  return issued.rowCount === 1 ? code : undefined;
}

interface IssuedCode {
  userId: string;
  challenge: Challenge;
  isExpired: boolean;
}

/** A code lasts five minutes (GoTrue: GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION). */
export async function findCode(client: ClientBase, code: string): Promise<IssuedCode | undefined> {
  const text = `select user_id as "userId", now() > auth_code_issued_at + interval '5 minutes' as "isExpired",
      json_build_object('method', code_challenge_method, 'value', code_challenge) as challenge
    from auth.flow_state where auth_code = $1 for update`;
  return (await client.query<IssuedCode>(text, [digest(code)])).rows[0];
}

export async function dropCodes(client: ClientBase, userId: string): Promise<void> {
  await client.query("delete from auth.flow_state where user_id = $1", [userId]);
}
