import { useRef } from "react";

export type EnqueueWrite = <Result>(id: string, write: () => Promise<Result>) => Promise<Result>;

/** Runs writes to the same item one at a time, so that a late update can't bring back a deleted item. */
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
