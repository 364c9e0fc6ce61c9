import type { ClientBase } from "pg";
import { digest } from "../opaque-tokens.ts";

interface Invitation {
  email: string;
  /** Whether the link that sent the email has a place left. */
  hasPlace: boolean;
}

type Found = { email: string | null; hasPlace: boolean };

async function readInvitation(
  client: ClientBase,
  text: string,
  values: string[],
): Promise<Invitation | undefined> {
  const [found] = (await client.query<Found>(text, values)).rows;
  return found && found.email !== null ? { email: found.email, hasPlace: found.hasPlace } : undefined;
}

/** Finds the email of an invitation link with this token. Leaves it usable. Returns undefined if it can't be used. */
export function findInvitation(client: ClientBase, token: string): Promise<Invitation | undefined> {
  const text = `select email, has_place as "hasPlace" from private.find_invitation($1)`;
  return readInvitation(client, text, [digest(token)]);
}

/**
 * Takes a place for the account that the same transaction creates with the id. `hasPlace` is false if other people have
 * taken all places.
 */
export function takePlace(
  client: ClientBase,
  token: string,
  userId: string,
): Promise<Invitation | undefined> {
  const text = `select email, has_place as "hasPlace" from private.take_place($1, $2)`;
  return readInvitation(client, text, [digest(token), userId]);
}
