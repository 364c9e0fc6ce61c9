/** Work that stands in line, because only so much of it can be done at once. */
export interface Queue {
  /** Takes work, returns what it returns once it had its turn. Throws what the queue was made with when it is full. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Returns whether new work would be refused. */
  isFull(): boolean;
}

/** How long a queue may become: in pieces of work, and in the milliseconds that the last one would wait. */
export interface QueueLimits {
  atOnce: number;
  mostWaiting: number;
  longestWait: number;
}

/** Tells from how long work took how long it will take. */
export interface Pace {
  took(milliseconds: number): void;
  /** Takes how many wait and how many are served at once, returns how long the next one will wait. */
  wait(waiting: number, atOnce: number): number;
}

/** How much the latest duration counts beside those before it. */
const weight = 0.2;

/** Returns a pace that knows nothing yet, hence expects no wait. */
export function createPace(): Pace {
  let average: number | undefined;
  return {
    took(milliseconds) {
      average = average === undefined ? milliseconds : average + (milliseconds - average) * weight;
    },
    wait: (waiting, atOnce) => (waiting / atOnce) * (average ?? 0),
  };
}

/** Takes its limits and what to throw beyond them, returns the queue. */
export function createQueue({ atOnce, mostWaiting, longestWait }: QueueLimits, full: () => Error): Queue {
  const pace = createPace();
  const waiting: (() => void)[] = [];
  let running = 0;
  const isFull = () =>
    running >= atOnce && (waiting.length >= mostWaiting || pace.wait(waiting.length, atOnce) > longestWait);
  return {
    isFull,
    async run(work) {
      if (isFull()) throw full();
      const asked = performance.now();
      if (running < atOnce) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      const begin = performance.now();
      try {
        // Its turn comes so late when what was done before it took longer than anything until then.
        if (begin - asked > longestWait) throw full();
        const result = await work();
        // What was refused or failed says nothing of how long work takes.
        pace.took(performance.now() - begin);
        return result;
      } finally {
        // The place goes to the next in line without becoming free in between.
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
