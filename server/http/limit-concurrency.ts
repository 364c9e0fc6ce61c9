import type { Context, Env, MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import PQueue from "p-queue";
import { type ConcurrencyLimit, LIMITS } from "../config/limits.ts";
import { ClientDisconnectedError } from "./client-disconnected-error.ts";
import { connectionOf } from "./connection.ts";
import { RetryLaterError } from "./retry-later-error.ts";

declare module "hono" {
  interface ContextVariableMap {
    /**
     * Gives up the request's slot before its response has been sent. Call it only if the response takes little memory.
     */
    releaseSlot?: () => void;
  }
}

const RETRY_AFTER_SECONDS = 2;
const MAX_SLOW_CLIENTS = 10_000;

const tooManyFromClient = () =>
  new RetryLaterError(429, "Too many requests from this address", RETRY_AFTER_SECONDS);
const tooManyInTotal = () => new RetryLaterError(503, "Too many requests at the moment", RETRY_AFTER_SECONDS);

/**
 * Limits how many requests run at the same time, in total and per client. A request holds its slot until its response
 * has been sent: otherwise, responses to slow clients could fill the memory. Throws RetryLaterError if a queue is full
 * or no slot becomes free in time, and ClientDisconnectedError if the client disconnects while it waits. Requests in
 * process need no slot of their own.
 */
export function limitConcurrency<E extends Env>(
  { total, perClient, queue, maxWaitMs }: ConcurrencyLimit,
  clientOf: (c: Context<E>) => string,
): MiddlewareHandler<E> {
  const sharedQueue = new PQueue({ concurrency: total });
  const clients = new Map<string, PQueue>();
  const slowClients = new LRUCache<string, true>({
    max: MAX_SLOW_CLIENTS,
    ttl: LIMITS.slowRequest.penaltyMs,
  });

  function queueOf(client: string): PQueue {
    const existing = clients.get(client);
    if (existing) return existing;
    const clientQueue = new PQueue({ concurrency: perClient });
    clientQueue.addEventListener("idle", () => clients.delete(client));
    clients.set(client, clientQueue);
    return clientQueue;
  }

  return async (c, next) => {
    const connection = connectionOf(c);
    if (connection === undefined) return next();
    const { outgoing } = connection;
    if (outgoing.closed) throw new ClientDisconnectedError();
    const client = clientOf(c);
    const clientQueue = queueOf(client);
    if (clientQueue.size >= queue) throw tooManyFromClient();
    if (sharedQueue.size >= queue) throw tooManyInTotal();

    const taken = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    // Aborting removes the request from the queues.
    const waiting = new AbortController();
    const { signal } = waiting;
    const disconnect = () => waiting.abort(new ClientDisconnectedError());
    outgoing.once("close", disconnect);
    let refusal = tooManyFromClient;
    const timer = setTimeout(() => waiting.abort(refusal()), maxWaitMs);
    const takeSlot = () => {
      clearTimeout(timer);
      outgoing.off("close", disconnect).once("close", released.resolve);
      taken.resolve();
      return released.promise;
    };
    const waitForOthers = () => {
      refusal = tooManyInTotal;
      return sharedQueue.add(takeSlot, { signal, priority: slowClients.has(client) ? -1 : 0 });
    };
    clientQueue.add(waitForOthers, { signal }).catch((reason: unknown) => {
      clearTimeout(timer);
      taken.reject(reason);
    });
    await taken.promise;
    c.set("releaseSlot", released.resolve);
    const start = performance.now();
    await next();
    if (performance.now() - start >= LIMITS.slowRequest.ms) slowClients.set(client, true);
    return undefined;
  };
}
