import type { Context, Env, MiddlewareHandler } from "hono";
import { LIMITS } from "../config/limits.ts";
import { createByteBudget } from "../http/byte-budget.ts";
import { clientKey } from "../http/client-address.ts";
import { connectionOf } from "../http/connection.ts";
import type { Log } from "../http/log.ts";
import { createRateBudget } from "../http/rate-budget.ts";
import { RetryLaterError } from "../http/retry-later-error.ts";
import type { AuthContext, Database } from "../postgres/database.ts";
import type { Tokens } from "./access-token.ts";
import { memberKey } from "./caller.ts";
import { announcedSize, type Bytes, dropBody, readBody } from "./read-body.ts";

export interface PipelineVariables {
  caller: AuthContext;
  /** The request's body. Set only on routes with a rule for bodies. */
  bytes: Bytes;
}

export interface ApiEnv extends Env {
  Variables: PipelineVariables;
}

export type ApiContext = Context<ApiEnv>;

export interface Rule<E extends ApiEnv> {
  /**
   * Identifies the caller by the token alone. Throws an error of the protocol, or AuthenticationError, if the caller may
   * not use the route. Must neither read the body nor use the database, because it runs before the limits.
   */
  identify(c: Context<E>): AuthContext | Promise<AuthContext>;
  /** Checks what only the database knows about the caller. Runs when the request has its slot. Throws like `identify`. */
  authorize?(c: Context<E>): Promise<void>;
  /** The route's limit on concurrent requests (limitConcurrency). A request takes its slot once its body is complete. */
  limiter: MiddlewareHandler<E>;
  /** How to read the body. Without it, the pipeline ignores the body. */
  body?: BodyRule<E>;
  /** How the route uses the disk, `nothing` by default. A route that `grows` the data needs more free space. */
  disk?: "grows" | "writes" | "nothing";
}

interface BodyRule<E extends ApiEnv> {
  maxBytes: number | ((caller: AuthContext) => number);
  /** Converts `c.var.bytes` before the request waits for its slot, if the limiter depends on the content. */
  parse?(c: Context<E>): void;
}

interface ProtectDependencies {
  trustedProxies: number;
  isDiskFull?: ((isGrowth: boolean) => Promise<boolean>) | undefined;
}

export interface PipelineDependencies extends ProtectDependencies {
  database: Database;
  tokens: Tokens;
  log: Log;
}

export type Protect = ReturnType<typeof createProtect>;
export type Pipeline = ReturnType<typeof createPipeline>;

/** Creates what the data interfaces of the built-in backend share. */
export function createPipeline({ database, tokens, log, trustedProxies, isDiskFull }: PipelineDependencies) {
  const protect = createProtect({ trustedProxies, isDiskFull });
  return { protect, database, tokens, log, trustedProxies, addressOf: clientKey(trustedProxies) };
}

/**
 * Creates `protect(rule)`, the middleware that every route of a data interface declares on its own line, before its
 * handler:
 *
 * ```ts
 * routes.post("/things", protect({ identify: identifyMember, body: json, limiter: requests, disk: "grows" }), createThing);
 * ```
 *
 * It verifies the token's signature, checks the size that the body announces, reserves memory for the body, reads the
 * body, and waits for a slot of the member or the address. Only a request with a slot uses the database: first
 * `authorize`, then the handler. The handler's transactions check that the caller's session is live. `c.var.caller` is
 * the caller, and `c.var.bytes` the body. The rest of a rejected body is dropped. The errors of all steps reach the
 * routes' `onError`, which `handleErrors` creates from the protocol's formatter.
 *
 * All routes of a process share one `protect`, because it limits the bodies in memory.
 */
export function createProtect({ trustedProxies, isDiskFull }: ProtectDependencies) {
  const addressOf = clientKey(trustedProxies);
  const memberBodies = createByteBudget(LIMITS.bodies.members);
  const visitorBodies = createByteBudget(LIMITS.bodies.visitors);
  const stored = createRateBudget(LIMITS.bodies.stored);

  function reserve(c: Context, caller: AuthContext, bytes: number): Disposable | undefined {
    if (connectionOf(c) === undefined) return undefined;
    const member = memberKey(caller);
    return member === undefined
      ? visitorBodies.reserve(addressOf(c), bytes)
      : memberBodies.reserve(member, bytes);
  }

  function countStored(c: Context, caller: AuthContext, bytes: number): void {
    const isLimited = connectionOf(c) !== undefined && caller.role !== "service_role";
    const member = memberKey(caller);
    if (isLimited && member !== undefined) stored.take(member, bytes);
  }

  async function requireFreeSpace(caller: AuthContext, disk: "grows" | "writes"): Promise<void> {
    const isGrowth = disk === "grows" && caller.role !== "service_role";
    if (await isDiskFull?.(isGrowth)) throw new RetryLaterError(507, "The server's disk is full", 10);
  }

  return <E extends ApiEnv>({
    identify,
    authorize,
    limiter,
    body,
    disk = "nothing",
  }: Rule<E>): MiddlewareHandler<E> =>
    async (c, next) => {
      const run = authorize ? () => authorize(c).then(next) : next;
      try {
        const caller = await identify(c);
        c.set("caller", caller);
        if (caller.role === "authenticated") c.set("memberId", memberKey(caller));
        if (disk !== "nothing") await requireFreeSpace(caller, disk);
        if (body === undefined) return await limiter(c, run);
        const maxBytes = typeof body.maxBytes === "number" ? body.maxBytes : body.maxBytes(caller);
        const size = announcedSize(c.req.raw.headers, maxBytes);
        using _reserved = reserve(c, caller, size ?? maxBytes);
        c.set("bytes", await readBody(c.req.raw, maxBytes));
        if (disk === "grows") countStored(c, caller, c.var.bytes.length);
        body.parse?.(c);
        return await limiter(c, run);
      } catch (error) {
        await dropBody(c.req.raw);
        throw error;
      }
    };
}
