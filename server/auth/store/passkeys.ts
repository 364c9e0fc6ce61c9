import { type ClientBase, DatabaseError } from "pg";
import { LIMITS } from "../../config/limits.ts";
import { GoTrueError } from "../auth-error.ts";
import { HAS_JUST_SIGNED_IN } from "./users.ts";

export type Ceremony = "registration" | "authentication";

const STORE_CHALLENGE = `insert into auth.webauthn_challenges (user_id, challenge_type, session_data, expires_at)
  values ($1, $2, $3, now() + $4 * interval '1 minute')
  returning id, extract(epoch from expires_at)::float8 as "expiresAt"`;

interface StoredChallenge {
  id: string;
  /** In seconds since 1970. */
  expiresAt: number;
}

/** `userId` is null for a sign-in, because the authenticator's response names the member. */
export async function storeChallenge(
  client: ClientBase,
  ceremony: Ceremony,
  userId: string | null,
  challenge: string,
): Promise<StoredChallenge> {
  const values = [userId, ceremony, { challenge }, LIMITS.passkeys.challengeMinutes];
  const [stored] = (await client.query<StoredChallenge>(STORE_CHALLENGE, values)).rows as [StoredChallenge];
  return stored;
}

const CONSUME_CHALLENGE = `delete from auth.webauthn_challenges
  where id = $1 and challenge_type = $2 and user_id is not distinct from $3::uuid
  returning session_data ->> 'challenge' as challenge, expires_at <= now() as "isExpired"`;

interface ConsumedChallenge {
  challenge: string;
  isExpired: boolean;
}

/**
 * Deletes the challenge, so that only one of several simultaneous responses gets it. The caller must commit the
 * transaction even if the response is wrong, because a rollback would allow another attempt.
 */
export async function consumeChallenge(
  client: ClientBase,
  ceremony: Ceremony,
  userId: string | null,
  id: string,
): Promise<ConsumedChallenge | undefined> {
  return (await client.query<ConsumedChallenge>(CONSUME_CHALLENGE, [id, ceremony, userId])).rows[0];
}

/** A passkey as the API describes it. */
export interface Passkey {
  id: string;
  friendly_name: string;
  created_at: Date;
  last_used_at: Date | null;
}

const PASSKEY = "id, friendly_name, created_at, last_used_at";

export async function listPasskeys(client: ClientBase, userId: string): Promise<Passkey[]> {
  const text = `select ${PASSKEY} from auth.webauthn_credentials where user_id = $1 order by created_at, id`;
  return (await client.query<Passkey>(text, [userId])).rows;
}

export interface Owner {
  email: string;
  /** False if the member can sign in only at an identity provider. */
  hasPassword: boolean;
  /** Whether the session `sessionId` began within the last 15 minutes. Refreshing it doesn't count. */
  hasJustSignedIn: boolean;
  credentials: { id: Buffer; transports: string[]; name: string }[];
}

const READ_OWNER = `select email, not exists (select from auth.identities i where i.user_id = u.id)
    or exists (select from auth.identities i where i.user_id = u.id and i.provider = 'email') as "hasPassword",
    ${HAS_JUST_SIGNED_IN} as "hasJustSignedIn"
  from auth.users u where id = $1 for no key update`;
const READ_CREDENTIALS = `select credential_id as id, transports, friendly_name as name
  from auth.webauthn_credentials where user_id = $1 order by created_at, id`;

/** Also locks the account's row, so that simultaneous additions can't exceed the limit. */
export async function readOwner(
  client: ClientBase,
  userId: string,
  sessionId: string,
): Promise<Owner | undefined> {
  const [owner] = (await client.query<Omit<Owner, "credentials">>(READ_OWNER, [userId, sessionId])).rows;
  if (!owner) return undefined;
  const credentials = await client.query<Owner["credentials"][number]>(READ_CREDENTIALS, [userId]);
  return { ...owner, credentials: credentials.rows };
}

export interface NewCredential {
  credentialId: Buffer;
  publicKey: Uint8Array;
  attestationType: string;
  aaguid: string;
  signCount: number;
  transports: string[];
  isBackupEligible: boolean;
  isBackedUp: boolean;
}

const ADD = `insert into auth.webauthn_credentials (user_id, credential_id, public_key, attestation_type, aaguid,
    sign_count, transports, backup_eligible, backed_up, friendly_name)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${PASSKEY}`;

/** Throws GoTrueError if the credential belongs to an account already. */
export async function addPasskey(
  client: ClientBase,
  userId: string,
  name: string,
  credential: NewCredential,
): Promise<Passkey> {
  const values = [
    userId,
    credential.credentialId,
    credential.publicKey,
    credential.attestationType,
    credential.aaguid,
    credential.signCount,
    JSON.stringify(credential.transports),
    credential.isBackupEligible,
    credential.isBackedUp,
    name,
  ];
  const { rows } = await client.query<Passkey>(ADD, values).catch((error: unknown) => {
    if (!(error instanceof DatabaseError) || error.code !== "23505") throw error;
    throw new GoTrueError(422, "webauthn_credential_exists", "This credential is already registered");
  });
  return (rows as [Passkey])[0];
}

const RENAME = `update auth.webauthn_credentials set friendly_name = $3, updated_at = now()
  where id = $1 and user_id = $2 returning ${PASSKEY}`;

export async function renamePasskey(
  client: ClientBase,
  userId: string,
  id: string,
  name: string,
): Promise<Passkey | undefined> {
  return (await client.query<Passkey>(RENAME, [id, userId, name])).rows[0];
}

/** Returns the name of the removed passkey, and its owner's email address. */
export async function removePasskey(
  client: ClientBase,
  userId: string,
  id: string,
): Promise<{ name: string; email: string } | undefined> {
  const text = `delete from auth.webauthn_credentials c using auth.users u
    where c.id = $1 and c.user_id = $2 and u.id = c.user_id returning c.friendly_name as name, u.email`;
  return (await client.query<{ name: string; email: string }>(text, [id, userId])).rows[0];
}

export interface StoredCredential {
  id: string;
  userId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  signCount: number;
}

/** `handle` must be the account's id: an authenticator returns the one that it received with the passkey. */
export async function findCredential(
  client: ClientBase,
  credentialId: Buffer,
  handle: string,
): Promise<StoredCredential | undefined> {
  const text = `select c.id, c.user_id as "userId", c.public_key as "publicKey", c.sign_count::float8 as "signCount"
    from auth.webauthn_credentials c join auth.users u on u.id = c.user_id
    where c.credential_id = $1 and c.user_id::text = $2 and u.deleted_at is null`;
  return (await client.query<StoredCredential>(text, [credentialId, handle])).rows[0];
}

// Locks the account before the passkey, as a deletion of the account does. The other order could deadlock with it.
const LOCK_OWNER = `select email_confirmed_at is not null as "isConfirmed" from auth.users
  where id = $1 for no key update`;
// An authenticator that counts always counts up. Of two copies of it, only one can.
const USE = `update auth.webauthn_credentials
  set sign_count = $3, backed_up = $4, last_used_at = now(), updated_at = now()
  where id = $1 and user_id = $2 and (sign_count < $3 or (sign_count = 0 and $3 = 0))`;

/** Records a sign-in. Returns undefined if the passkey was removed, or if its counter has meanwhile passed this value. */
export async function recordUse(
  client: ClientBase,
  { id, userId }: StoredCredential,
  signCount: number,
  isBackedUp: boolean,
): Promise<{ isConfirmed: boolean } | undefined> {
  const [owner] = (await client.query<{ isConfirmed: boolean }>(LOCK_OWNER, [userId])).rows;
  const { rowCount } = await client.query(USE, [id, userId, signCount, isBackedUp]);
  return rowCount === 1 ? owner : undefined;
}
