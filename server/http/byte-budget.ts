import { LIMITS } from "../config/limits.ts";
import { RetryLaterError } from "./retry-later-error.ts";

const RETRY_AFTER_SECONDS = 2;

export interface ByteShare {
  total: number;
  perClient: number;
}

export type ByteBudget = ReturnType<typeof createByteBudget>;

/**
 * Limits how many bytes of bodies or responses are in memory, in total and for each client. Doesn't queue: a client that
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

  /** Returns undefined if the bytes aren't available, and otherwise an object that gives them back when disposed of. */
  function tryReserve(client: string, size: number): Disposable | undefined {
    const bytes = Math.max(size, atLeast);
    const own = reserved.get(client) ?? 0;
    if (own + bytes > perClient || reservedInTotal + bytes > total) return undefined;
    add(client, bytes);
    return { [Symbol.dispose]: () => add(client, -bytes) };
  }

  return {
    tryReserve,
    /** Like `tryReserve`, but throws RetryLaterError if the bytes aren't available. */
    reserve(client: string, size: number): Disposable {
      const reservation = tryReserve(client, size);
      if (reservation) return reservation;
      throw (reserved.get(client) ?? 0) + size > perClient
        ? new RetryLaterError(429, "Too much data from this client at once", RETRY_AFTER_SECONDS)
        : new RetryLaterError(503, "Too much data at the moment", RETRY_AFTER_SECONDS);
    },
  };
}
