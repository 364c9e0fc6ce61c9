import { LRUCache } from "lru-cache";

const MAX_KINDS = 1_000;
const INTERVAL_MS = 1_000;

/**
 * Returns a function that decides whether to log a failure: at most one of each kind per second. It returns undefined if
 * not, and otherwise how many of this kind were omitted since the last one.
 */
export function createThrottle(): (kind: string) => number | undefined {
  const kinds = new LRUCache<string, { omitted: number; until: number }>({ max: MAX_KINDS });
  return (kind) => {
    const now = performance.now();
    const last = kinds.get(kind);
    if (last && now < last.until) {
      last.omitted++;
      return undefined;
    }
    kinds.set(kind, { omitted: 0, until: now + INTERVAL_MS });
    return last?.omitted ?? 0;
  };
}
