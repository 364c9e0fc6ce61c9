import { v5 } from "uuid";

/** The same id for the same member and thing at every import (UUIDv5). */
export function derivedId(userId: string, idOrPath: string): string {
  return v5(idOrPath, userId);
}
