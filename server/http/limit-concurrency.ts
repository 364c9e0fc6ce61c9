import type { HttpBindings } from "@hono/node-server";
import type { Context, Env, MiddlewareHandler } from "hono";
import PQueue from "p-queue";
import { AdmissionError } from "./admission-error.ts";

interface ConcurrencyLimit {
  total: number;
  perClient: number;
  /** How many requests may wait in each client's queue, and how many in the shared queue after it. */
  queue: number;
}

const RETRY_AFTER_SECONDS = 2;
const MAX_WAIT_MS = 2_000;

const tooManyOfClient = () =>
  new AdmissionError(429, "Too many requests from this address", RETRY_AFTER_SECONDS);
const tooManyInAll = () => new AdmissionError(503, "Too many requests at this moment", RETRY_AFTER_SECONDS);

/**
 * Runs a limited number of requests at the same time. A request holds its slot until its response has been sent, so
 * that slow readers cannot collect responses in memory. Throws AdmissionError.
 */
export function limitConcurrency<E extends Env>(
  { total, perClient, queue }: ConcurrencyLimit,
  clientOf: (c: Context<E>) => string,
): MiddlewareHandler<E> {
  const all = new PQueue({ concurrency: total });
  const clients = new Map<string, PQueue>();

  function queueOf(client: string): PQueue {
    const known = clients.get(client);
    if (known) return known;
    const own = new PQueue({ concurrency: perClient });
    own.addEventListener("idle", () => clients.delete(client));
    clients.set(client, own);
    return own;
  }

  return async (c, next) => {
    const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
    // Loaders' in-process requests run in their page's slot.
    if (outgoing === undefined) return next();
    const own = queueOf(clientOf(c));
    if (own.size >= queue) throw tooManyOfClient();
    if (all.size >= queue) throw tooManyInAll();

    const slot = Promise.withResolvers<void>();
    const sent = new Promise<void>((resolve) => outgoing.once("close", resolve));
    let isWaiting = true;
    const timer = setTimeout(() => {
      isWaiting = false;
      slot.reject(own.pending >= perClient && own.size > 0 ? tooManyOfClient() : tooManyInAll());
    }, MAX_WAIT_MS);
    void own.add(() =>
      all.add(() => {
        if (!isWaiting || outgoing.closed) return undefined;
        clearTimeout(timer);
        slot.resolve();
        return sent;
      }),
    );
    await slot.promise;
    return next();
  };
}
