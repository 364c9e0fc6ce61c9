/** Places for one kind of work, shared out among clients. */
export interface Lane {
  /** Runs `work` when it is the client's turn. Throws BusyError at once where that would be too late. */
  run<T>(client: string, work: () => Promise<T>): Promise<T>;
}

export interface LaneLimits {
  /** Places. */
  atOnce: number;
  /** Places that one client may hold, however many are free: a newcomer finds one. */
  atOncePerClient: number;
  waiting: number;
  waitingPerClient: number;
  longestWaitMs: number;
}

/** Too much at this moment: of one client, or in all. */
export class BusyError extends Error {
  override readonly name = "BusyError";
  readonly isOwnFault: boolean;

  constructor(isOwnFault: boolean) {
    super(isOwnFault ? "Too many requests from this address" : "Too many requests at this moment");
    this.isOwnFault = isOwnFault;
  }
}

interface Client {
  running: number;
  waiting: (() => void)[];
}

/** Weight of the latest duration in the moving average. */
const WEIGHT = 0.2;

export function createLane(limits: LaneLimits): Lane {
  // In the order of their turns: who was served last comes last.
  const clients = new Map<string, Client>();
  let running = 0;
  let waiting = 0;
  let averageMs = 0;

  function refuseExcess({ waiting: own }: Client): void {
    const ownWaitMs = (own.length / limits.atOncePerClient) * averageMs;
    if (own.length >= limits.waitingPerClient || ownWaitMs > limits.longestWaitMs) throw new BusyError(true);
    const waitMs = (waiting / limits.atOnce) * averageMs;
    if (waiting >= limits.waiting || waitMs > limits.longestWaitMs) throw new BusyError(false);
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
    await new Promise<void>((resolve) => client.waiting.push(resolve));
  }

  return {
    async run(name, work) {
      const client = clients.get(name) ?? { running: 0, waiting: [] };
      await takePlace(name, client);
      const start = performance.now();
      try {
        return await work();
      } finally {
        averageMs += (performance.now() - start - averageMs) * WEIGHT;
        running--;
        client.running--;
        sendToEnd(name, client);
        startNext();
      }
    },
  };
}
