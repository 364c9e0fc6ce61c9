import { useRef } from "react";

export type EnqueueWrite = <Result>(id: string, write: () => Promise<Result>) => Promise<Result>;

/**
 * Runs a page's writes to the same item one at a time: an update that arrived after the item's deletion would create it
 * again.
 */
export function useWriteQueue(): EnqueueWrite {
  const pending = useRef(new Map<string, Promise<unknown>>());
  return async function enqueueWrite<Result>(id: string, write: () => Promise<Result>): Promise<Result> {
    const writes = pending.current;
    const result = (writes.get(id) ?? Promise.resolve()).catch(() => undefined).then(write);
    writes.set(id, result);
    try {
      return await result;
    } finally {
      if (writes.get(id) === result) writes.delete(id);
    }
  };
}
