import { clientKey } from "../http/client-address.ts";
import { limitConcurrency } from "../http/limit-concurrency.ts";
import type { Guard } from "./auth-env.ts";

/** bcrypt runs in libuv's four threads. Leave one of them for reading files. */
const HASHING = { total: 3, perClient: 2, queue: 32 };
const REQUESTS = { total: 12, perClient: 4, queue: 64 };

/**
 * Requests with a password have a separate limit, so that refreshes and sign-outs don't wait for password hashing.
 * Mount this middleware after the one that parses the body.
 */
export function limitAccounts(trustedProxies: number): Guard {
  const hashing = limitConcurrency(HASHING, clientKey(trustedProxies));
  const others = limitConcurrency(REQUESTS, clientKey(trustedProxies));
  return (c, next) => (c.var.body?.["password"] === undefined ? others : hashing)(c, next);
}
