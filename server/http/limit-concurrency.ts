import type { Context, Env, MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import { type ConcurrencyLimit, LIMITS } from "../config/limits.ts";
import { type ByteBudget, type ByteShare, createByteBudget } from "./byte-budget.ts";
import { ClientDisconnectedError } from "./client-disconnected-error.ts";
import { connectionOf } from "./connection.ts";
import { RetryLaterError } from "./retry-later-error.ts";
import { createSlots, type Place } from "./slots.ts";

declare module "hono" {
  interface ContextVariableMap {
    /**
     * Gives up the request's slot before its response has been sent. Call it only if the whole response is in memory.
     * With `bytes`, the response counts toward the byte budget instead. It keeps its slot if the budget is full.
     */
    releaseSlot?: (bytes?: number) => void;
    /** The size of the response's body, where it isn't small. */
    responseBytes?: number;
  }
}

const RETRY_AFTER_SECONDS = 2;
const MAX_SLOW_CLIENTS = 10_000;

const tooManyFromClient = () =>
  new RetryLaterError(429, "Too many requests from this address", RETRY_AFTER_SECONDS);
const tooManyInTotal = () => new RetryLaterError(503, "Too many requests at the moment", RETRY_AFTER_SECONDS);

/**
 * Limits how many requests run at the same time, in total and per client. A request holds its slot until its response
 * has been sent: otherwise, responses to slow clients could fill the memory. A response that is complete in memory can
 * count toward the budget `responses` instead (`releaseSlot`). Throws RetryLaterError if a queue is full or no slot
 * becomes free in time, and ClientDisconnectedError if the client disconnects while it waits. Requests in process need
 * no slot of their own.
 */
export function limitConcurrency<E extends Env>(
  limit: ConcurrencyLimit,
  clientOf: (c: Context<E>) => string,
  responses?: ByteBudget,
): MiddlewareHandler<E> {
  const slots = createSlots(limit);
  const slowClients = new LRUCache<string, true>({
    max: MAX_SLOW_CLIENTS,
    ttl: LIMITS.slowRequest.penaltyMs,
  });

  return async (c, next) => {
    const connection = connectionOf(c);
    if (connection === undefined) return next();
    const { outgoing } = connection;
    if (outgoing.closed) throw new ClientDisconnectedError();
    const client = clientOf(c);
    const place = slots.enter(client, slowClients.has(client));
    if (!place) throw place === null ? tooManyInTotal() : tooManyFromClient();
    outgoing.once("close", () => slots.leave(place));
    if (place.state !== "running") {
      try {
        await waitForSlot(place, limit.maxWaitMs, outgoing);
      } catch (error) {
        slots.leave(place);
        throw error;
      }
    }
    c.set("releaseSlot", (bytes) => {
      if (bytes !== undefined) {
        const reserved = responses?.tryReserve(client, bytes);
        if (reserved === undefined) return;
        if (outgoing.closed) reserved[Symbol.dispose]();
        else outgoing.once("close", () => reserved[Symbol.dispose]());
      }
      slots.leave(place);
    });
    const start = performance.now();
    await next();
    if (performance.now() - start >= LIMITS.slowRequest.ms) slowClients.set(client, true);
    return undefined;
  };
}

/**
 * Like `limitConcurrency`, for responses that are complete in memory when their handler ends. They hold no slot, and
 * count toward `responses` until they have been sent. A client that doesn't read could otherwise keep slots with small
 * responses that follow a large one on the same connection.
 */
export function limitComplete<E extends Env>(
  limit: ConcurrencyLimit,
  clientOf: (c: Context<E>) => string,
  responses: ByteShare,
): MiddlewareHandler<E> {
  const slots = limitConcurrency(limit, clientOf, createByteBudget(responses));
  return (c, next) =>
    slots(c, async () => {
      await next();
      c.get("releaseSlot")?.(c.get("responseBytes") ?? 0);
    });
}

function waitForSlot(place: Place, maxWaitMs: number, outgoing: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve, reject) => {
    const disconnect = () => {
      clearTimeout(timer);
      reject(new ClientDisconnectedError());
    };
    const timer = setTimeout(
      () => reject(place.state === "waiting for its client" ? tooManyFromClient() : tooManyInTotal()),
      maxWaitMs,
    );
    outgoing.once("close", disconnect);
    place.onStart = () => {
      clearTimeout(timer);
      outgoing.off("close", disconnect);
      resolve();
    };
  });
}
