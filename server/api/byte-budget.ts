import { LIMITS } from "../config/limits.ts";
import { RetryLaterError } from "../http/retry-later-error.ts";

const RETRY_AFTER_SECONDS = 2;

export interface ByteShare {
  total: number;
  perClient: number;
}

/**
 * Limits how many bytes of request bodies are in memory, in total and for each client. Doesn't queue: a client that
 * sends more at once must retry.
 */
export function createByteBudget({ total, perClient }: ByteShare, atLeast = LIMITS.bodies.atLeast) {
  const reserved = new Map<string, number>();
  let reservedInTotal = 0;

  function add(client: string, bytes: number): void {
    reservedInTotal += bytes;
    const own = (reserved.get(client) ?? 0) + bytes;
    if (own > 0) reserved.set(client, own);
    else reserved.delete(client);
  }

  return {
    /** Reserves bytes until the returned object is disposed of. Throws RetryLaterError if they aren't available. */
    reserve(client: string, size: number): Disposable {
      const bytes = Math.max(size, atLeast);
      if ((reserved.get(client) ?? 0) + bytes > perClient) {
        throw new RetryLaterError(429, "Too much data from this client at once", RETRY_AFTER_SECONDS);
      }
      if (reservedInTotal + bytes > total) {
        throw new RetryLaterError(503, "Too much data at the moment", RETRY_AFTER_SECONDS);
      }
      add(client, bytes);
      return { [Symbol.dispose]: () => add(client, -bytes) };
    },
  };
}
