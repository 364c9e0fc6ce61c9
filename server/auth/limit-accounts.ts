import { clientKey } from "../http/client-address.ts";
import { limitConcurrency } from "../http/limit-concurrency.ts";
import type { Guard } from "./auth-env.ts";

/** bcrypt runs in libuv's four threads, which also read files. */
const HASHING = { total: 3, perClient: 2, queue: 32 };
const REQUESTS = { total: 12, perClient: 4, queue: 64 };

/** Requests with a password have their own limit: refreshes and sign-outs never wait for them. Use it after the body. */
export function limitAccounts(trustedProxies: number): Guard {
  const hashing = limitConcurrency(HASHING, clientKey(trustedProxies));
  const others = limitConcurrency(REQUESTS, clientKey(trustedProxies));
  return (c, next) => (c.var.body?.["password"] === undefined ? others : hashing)(c, next);
}
