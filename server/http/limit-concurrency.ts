import type { HttpBindings } from "@hono/node-server";
import type { Context, Env, MiddlewareHandler } from "hono";
import PQueue from "p-queue";
import { RetryLaterError } from "./retry-later-error.ts";

interface ConcurrencyLimit {
  total: number;
  perClient: number;
  /** The maximum length of each client's queue, and of the shared queue that follows it. */
  queue: number;
}

const RETRY_AFTER_SECONDS = 2;
const MAX_WAIT_MS = 2_000;

const tooManyFromClient = () =>
  new RetryLaterError(429, "Too many requests from this address", RETRY_AFTER_SECONDS);
const tooManyInTotal = () => new RetryLaterError(503, "Too many requests at the moment", RETRY_AFTER_SECONDS);

/**
 * Limits how many requests run at the same time, in total and per client. A request holds its slot until its response
 * has been sent: otherwise, responses to slow clients could fill the memory. Throws RetryLaterError if a queue is full
 * or no slot becomes free in time.
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
    // In-process requests by page loaders need no slot of their own: the page request already has one.
    if (outgoing === undefined) return next();
    const own = queueOf(clientOf(c));
    if (own.size >= queue) throw tooManyFromClient();
    if (all.size >= queue) throw tooManyInTotal();

    const slot = Promise.withResolvers<void>();
    const sent = new Promise<void>((resolve) => outgoing.once("close", resolve));
    let isWaiting = true;
    const timer = setTimeout(() => {
      isWaiting = false;
      slot.reject(own.pending >= perClient && own.size > 0 ? tooManyFromClient() : tooManyInTotal());
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
