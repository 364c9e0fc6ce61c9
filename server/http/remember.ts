import { LRUCache } from "lru-cache";

/** Returns a function that calls `read` at most once in `ttlMs`, and otherwise returns the last result. */
export function remember<T extends object | boolean>(
  read: () => Promise<T>,
  ttlMs: number,
): () => Promise<T> {
  const cache = new LRUCache<"", { value: T }>({
    max: 1,
    ttl: ttlMs,
    fetchMethod: async () => ({ value: await read() }),
  });
  return async () => (await cache.forceFetch("")).value;
}
