import type { ClientBase } from "pg";
import { digest } from "../opaque-tokens.ts";
import type { Challenge } from "../pkce.ts";

export async function storeCode(
  client: ClientBase,
  userId: string,
  code: string,
  { method, value }: Challenge,
): Promise<void> {
  const text = `insert into auth.flow_state (id, user_id, auth_code, code_challenge_method, code_challenge,
      provider_type, authentication_method, created_at, updated_at, auth_code_issued_at)
    values (gen_random_uuid(), $1, $2, $3, $4, 'recovery', 'recovery', now(), now(), now())`;
  await client.query(text, [userId, digest(code), method, value]);
}

interface IssuedCode {
  userId: string;
  challenge: Challenge;
  isExpired: boolean;
}

/** Uses the code up, unless the transaction is rolled back. */
export async function takeCode(client: ClientBase, code: string): Promise<IssuedCode | undefined> {
  const text = `delete from auth.flow_state where auth_code = $1
    returning user_id as "userId", now() > auth_code_issued_at + interval '1 hour' as "isExpired",
      json_build_object('method', code_challenge_method, 'value', code_challenge) as challenge`;
  return (await client.query<IssuedCode>(text, [digest(code)])).rows[0];
}

export async function dropCodes(client: ClientBase, userId: string): Promise<void> {
  await client.query("delete from auth.flow_state where user_id = $1", [userId]);
}
