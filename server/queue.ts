/** Runs work in turn. Throws what the queue was made with when too much waits already. */
export type Queue = <T>(work: () => Promise<T>) => Promise<T>;

/** Takes how many may run at once, how many may wait, and what to throw when they do; returns the queue. */
export function createQueue(atOnce: number, atMostWaiting: number, full: () => Error): Queue {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= atMostWaiting) throw full();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The place goes to the next in line without becoming free in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
