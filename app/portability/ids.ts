import { v5 } from "uuid";

/** PostgreSQL's `uuid` is any 128 bits, not only what RFC 9562 gives a version. */
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function isId(text: string): boolean {
  return UUID.test(text);
}

/** The same id for the same member and thing at every import (UUIDv5). */
export function derivedId(userId: string, idOrPath: string): string {
  const namespace = (userId.replaceAll("-", "").match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  return v5(idOrPath, Uint8Array.from(namespace));
}
