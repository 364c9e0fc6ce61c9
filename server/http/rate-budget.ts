import { LRUCache } from "lru-cache";
import { RetryLaterError } from "./retry-later-error.ts";

const MAX_CLIENTS = 10_000;

export interface RateShare {
  bytes: number;
  bytesPerSecond: number;
}

/** Limits how many bytes a client sends over time: `bytes` at once, which are refilled at `bytesPerSecond`. */
export function createRateBudget({ bytes, bytesPerSecond }: RateShare) {
  const clients = new LRUCache<string, { left: number; at: number }>({ max: MAX_CLIENTS });
  return {
    /** Throws RetryLaterError if the client has used up its share. */
    take(client: string, size: number): void {
      const at = performance.now();
      const last = clients.get(client);
      const refilled = last ? last.left + ((at - last.at) / 1_000) * bytesPerSecond : bytes;
      const left = Math.min(bytes, refilled);
      clients.set(client, { left: left < size ? left : left - size, at });
      if (left >= size) return;
      const seconds = Math.ceil((size - left) / bytesPerSecond);
      throw new RetryLaterError(429, "Too much data from this member within a short time", seconds);
    },
  };
}
