import { clientKey } from "../http/client-address.ts";
import { limitConcurrency } from "../http/limit-concurrency.ts";
import type { Guard } from "./auth-env.ts";

/**
 * At most three requests hash passwords at the same time, because bcrypt runs in libuv's four threads, and one of them
 * must stay free for reading files.
 */
const HASHING = { total: 3, perClient: 2, queue: 32 };
const REQUESTS = { total: 12, perClient: 4, queue: 64 };

/**
 * Requests with a password have a separate limit, so that refreshes and sign-outs don't wait for password hashing.
 * Mount this middleware after the one that parses the body, because it checks whether the body contains a password.
 */
export function limitAccounts(trustedProxies: number): Guard {
  const hashing = limitConcurrency(HASHING, clientKey(trustedProxies));
  const others = limitConcurrency(REQUESTS, clientKey(trustedProxies));
  return (c, next) => (c.var.body?.["password"] === undefined ? others : hashing)(c, next);
}
