// How `/rest/v1` and `/auth/v1` report limits and a full disk.
import { Hono } from "hono";
import { afterAll, expect, test } from "vitest";
import { admission } from "../../server/http/admission.ts";
import { startTestAuth } from "../support/auth.ts";

const auth = await startTestAuth();
const member = await auth.member();
afterAll(() => auth.stop());

/** Both services with limits of their own, requested from one address. */
function open(isDiskFull: () => boolean = () => false) {
  const site = new Hono();
  site.use(admission({ trustedProxies: 0, isDiskFull, log: auth.log }));
  site.route("/", auth.app);
  return async (path: string, body?: object) => {
    const headers = { apikey: auth.keys.anonKey, "content-type": "application/json" };
    const init = body && { method: "POST", body: JSON.stringify(body) };
    const answer = await site.request(path, { headers, ...init });
    return {
      status: answer.status,
      retryAfter: answer.headers.get("Retry-After"),
      cacheControl: answer.headers.get("Cache-Control"),
      body: await answer.json(),
    };
  };
}

const PASSWORD = "/auth/v1/token?grant_type=password";
const REFRESH = "/auth/v1/token?grant_type=refresh_token";

test("with a full disk, a save is rejected in PostgREST's format, and reads still work", async () => {
  const ask = open(() => true);
  expect(await ask("/rest/v1/articles", { title: "x" })).toEqual({
    status: 507,
    retryAfter: "10",
    cacheControl: "no-store",
    body: { code: "507", details: null, hint: "Try again later", message: "The disk of the server is full" },
  });
  expect((await ask("/rest/v1/articles")).status).toBe(200);
});

test("with a full disk, sign-in gets 503, because auth-js would end a session after 507", async () => {
  const ask = open(() => true);
  const refused = {
    status: 503,
    retryAfter: "10",
    cacheControl: "no-store",
    body: { code: 503, error_code: "over_request_rate_limit", msg: "The disk of the server is full" },
  };
  expect(await ask(PASSWORD, member)).toEqual(refused);
  expect(await ask(REFRESH, { refresh_token: "x" })).toEqual(refused);
  expect((await ask("/auth/v1/settings")).status).toBe(200);
});

test("with a full disk, sign-ins don't count as failures", async () => {
  let isFull = true;
  const ask = open(() => isFull);
  const guess = { email: member.email, password: "wrong" };
  for (let count = 0; count < 40; count++) expect((await ask(PASSWORD, guess)).status).toBe(503);
  isFull = false;
  expect((await ask(PASSWORD, guess)).status).toBe(400);
});

test("a flood of reads from one address is rejected in PostgREST's format", async () => {
  const ask = open();
  const flood = Array.from({ length: 100 }, () => ask("/rest/v1/articles"));
  expect((await Promise.all(flood)).filter(({ status }) => status !== 200)).toContainEqual({
    status: 429,
    retryAfter: "2",
    cacheControl: "no-store",
    body: {
      code: "429",
      details: null,
      hint: "Try again later",
      message: "Too many requests from this address",
    },
  });
});

test("a flood of sign-ins from one address gets 429, and a refresh 503, which keeps the session", async () => {
  const ask = open();
  const flood = Array.from({ length: 60 }, () => ask(PASSWORD, member));
  const refresh = Array.from({ length: 20 }, () => ask(REFRESH, { refresh_token: "x" }));
  const refused = (status: number) => ({
    status,
    retryAfter: "2",
    cacheControl: "no-store",
    body: {
      code: status,
      error_code: "over_request_rate_limit",
      msg: "Too many requests from this address",
    },
  });
  expect(await Promise.all(flood)).toContainEqual(refused(429));
  const refreshed = await Promise.all(refresh);
  expect(refreshed).toContainEqual(refused(503));
  expect(refreshed.map(({ status }) => status)).not.toContain(429);
});
