import { LRUCache } from "lru-cache";

/**
 * Returns a function that calls `read` at most once in `ttlMs`, and otherwise returns or throws the last result. A failure
 * counts too: while the database is down, each probe would otherwise wait for it.
 */
export function cacheResult<T>(read: () => Promise<T>, ttlMs: number): () => Promise<T> {
  const cache = new LRUCache<"", PromiseSettledResult<T>>({
    max: 1,
    ttl: ttlMs,
    fetchMethod: async () => (await Promise.allSettled([read()]))[0],
  });
  return async () => {
    const result = await cache.forceFetch("");
    if (result.status === "rejected") throw result.reason;
    return result.value;
  };
}
