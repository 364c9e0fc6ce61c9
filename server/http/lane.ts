import { busy } from "./admission-error.ts";

export interface LaneLimits {
  atOnce: number;
  /** Even when more are free, so that a newcomer finds one. */
  atOncePerClient: number;
  waiting: number;
  waitingPerClient: number;
  /** A longer wait is refused at once when it is foreseen, otherwise when nothing moved for so long. */
  longestWaitMs: number;
}

interface Client {
  running: number;
  waiting: (() => void)[];
  movedAt: number;
}

const LATEST_WEIGHT = 0.2;
/** One standstill lengthens all that is under way, and foretells nothing. */
const MOST_GROWTH = 2;

function nextAverage(average: number, latest: number): number {
  const credible = average === 0 ? latest : Math.min(latest, average * MOST_GROWTH);
  return average + (credible - average) * LATEST_WEIGHT;
}

/** A lane runs `work` when it is the client's turn. Throws AdmissionError. */
export function createLane(limits: LaneLimits) {
  // In the order of their turns: who was served last comes last.
  const clients = new Map<string, Client>();
  let running = 0;
  let waiting = 0;
  let averageMs = 0;
  let movedAt = 0;

  function refuseExcess({ waiting: own }: Client): void {
    const ownWaitMs = (own.length / limits.atOncePerClient) * averageMs;
    if (own.length >= limits.waitingPerClient || ownWaitMs > limits.longestWaitMs) throw busy(true);
    const waitMs = (waiting / limits.atOnce) * averageMs;
    if (waiting >= limits.waiting || waitMs > limits.longestWaitMs) throw busy(false);
  }

  function sendToEnd(name: string, client: Client): void {
    clients.delete(name);
    if (client.running > 0 || client.waiting.length > 0) clients.set(name, client);
  }

  function begin(name: string, client: Client): void {
    running++;
    client.running++;
    sendToEnd(name, client);
  }

  function startNext(): void {
    for (const [name, client] of clients) {
      const next = client.running < limits.atOncePerClient ? client.waiting.shift() : undefined;
      if (!next) continue;
      waiting--;
      begin(name, client);
      next();
      return;
    }
  }

  async function takePlace(name: string, client: Client): Promise<void> {
    if (running < limits.atOnce && client.running < limits.atOncePerClient) return begin(name, client);
    refuseExcess(client);
    waiting++;
    clients.set(name, client);
    await turnOf(name, client);
  }

  function turnOf(name: string, client: Client): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(overdue);
        resolve();
      };
      const begin = performance.now();
      const look = () => {
        const isOwnFault = client.running >= limits.atOncePerClient;
        const standsStillFor = performance.now() - Math.max(begin, isOwnFault ? client.movedAt : movedAt);
        if (standsStillFor < limits.longestWaitMs) {
          overdue = setTimeout(look, limits.longestWaitMs - standsStillFor);
          return;
        }
        client.waiting.splice(client.waiting.indexOf(start), 1);
        waiting--;
        if (client.running === 0 && client.waiting.length === 0) clients.delete(name);
        reject(busy(isOwnFault));
      };
      let overdue = setTimeout(look, limits.longestWaitMs);
      client.waiting.push(start);
    });
  }

  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const client = clients.get(name) ?? { running: 0, waiting: [], movedAt: 0 };
    await takePlace(name, client);
    const start = performance.now();
    try {
      return await work();
    } finally {
      movedAt = client.movedAt = performance.now();
      averageMs = nextAverage(averageMs, movedAt - start);
      running--;
      client.running--;
      sendToEnd(name, client);
      startNext();
    }
  };
}
