// Tests the error responses of `/rest/v1` and `/auth/v1` when the server is overloaded or its disk is full.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { afterAll, afterEach, expect, test } from "vitest";
import { LIMITS } from "../../server/config/limits.ts";
import { startTestAuth } from "../support/auth.ts";

let disk: "free" | "almost full" | "completely full" = "free";
const auth = await startTestAuth({
  isDiskFull: async (isGrowth) => disk === "completely full" || (isGrowth && disk === "almost full"),
});
const member = await auth.member();
const server = serve({ fetch: auth.app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
if (!server.listening) await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await auth.stop();
});

afterEach(() => {
  disk = "free";
});

const { data: signedIn } = await auth.client().auth.signInWithPassword(member);

function asMember(path: string, init: RequestInit): Promise<Response> {
  const authorization = `Bearer ${signedIn.session?.access_token}`;
  const headers = { apikey: auth.keys.anonKey, authorization, "content-type": "application/json" };
  return fetch(origin + path, { ...init, headers });
}

async function ask(path: string, body?: object) {
  const headers = { apikey: auth.keys.anonKey, "content-type": "application/json" };
  const response = await fetch(origin + path, {
    headers,
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get("Retry-After"),
    cacheControl: response.headers.get("Cache-Control"),
    body: await response.json(),
  };
}

const PASSWORD = "/auth/v1/token?grant_type=password";
const REFRESH = "/auth/v1/token?grant_type=refresh_token";

test("while the disk is almost full, a save gets 507 in PostgREST's error format, and reads still work", async () => {
  disk = "almost full";
  const saved = await asMember("/rest/v1/articles", { method: "POST", body: "{}" });
  expect(saved.status).toBe(507);
  expect([saved.headers.get("retry-after"), saved.headers.get("cache-control")]).toEqual(["10", "no-store"]);
  expect(await saved.json()).toEqual({
    code: "507",
    details: null,
    hint: "Try again later",
    message: "The server's disk is full",
  });
  expect((await ask("/rest/v1/articles")).status).toBe(200);
});

test("while the disk is almost full, deletions, sign-ins, sign-outs and requests with the service key still work", async () => {
  disk = "almost full";
  expect((await asMember("/rest/v1/articles?id=eq.none", { method: "DELETE" })).status).toBe(400);
  expect((await asMember(`/rest/v1/skills?profile_id=eq.${member.id}`, { method: "DELETE" })).status).toBe(
    204,
  );
  expect((await ask(PASSWORD, member)).status).toBe(200);
  expect((await asMember("/auth/v1/logout?scope=others", { method: "POST" })).status).toBe(204);
  const { error } = await auth.service.from("skills").insert({ profile_id: member.id, name: "SQL" });
  expect(error).toBeNull();
});

test("while the disk is completely full, deletions get 507", async () => {
  disk = "completely full";
  const filter = `profile_id=eq.${member.id}`;
  expect((await asMember(`/rest/v1/skills?${filter}`, { method: "DELETE" })).status).toBe(507);
});

test("while the disk is full, searches still work, even though they are sent with POST", async () => {
  disk = "completely full";
  const search = { content_table: "articles", search_text: "node.js" };
  expect((await ask("/rest/v1/rpc/search_content", search)).status).toBe(200);
});

test("while the disk is completely full, sign-ins and refreshes get 503, because auth-js would end a session after 507", async () => {
  disk = "completely full";
  const refused = {
    status: 503,
    retryAfter: "10",
    cacheControl: "no-store",
    body: { code: 503, error_code: "disk_full", msg: "The server's disk is full" },
  };
  expect(await ask(PASSWORD, member)).toEqual(refused);
  expect(await ask(REFRESH, { refresh_token: "x" })).toEqual(refused);
  expect((await ask("/auth/v1/settings")).status).toBe(200);
});

test("sign-ins that are rejected because the disk is full do not count as failed", async () => {
  disk = "completely full";
  const guess = { email: member.email, password: "wrong" };
  for (let count = 0; count < 40; count++) expect((await ask(PASSWORD, guess)).status).toBe(503);
  disk = "free";
  expect((await ask(PASSWORD, guess)).status).toBe(400);
});

test("a flood of reads from one IP address gets 429 in PostgREST's error format", async () => {
  const client = await auth.admin.connect();
  await client.query("begin; lock table public.articles in access exclusive mode");
  const moreThanFit = LIMITS.concurrency.visitorData.queue + 10;
  const flood = Array.from({ length: moreThanFit }, () => ask("/rest/v1/articles"));
  expect(await Promise.race(flood)).toEqual({
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
  await client.query("rollback");
  client.release();
  await Promise.all(flood);
});

const rejected = (status: number) => ({
  status,
  retryAfter: "2",
  cacheControl: "no-store",
  body: { code: status, error_code: "over_request_rate_limit", msg: "Too many requests from this address" },
});

test("a flood of sign-ins from one IP address gets 429, and a refresh from that address is still processed", async () => {
  const flood = Array.from({ length: 100 }, () => ask(PASSWORD, member));
  const refresh = await ask(REFRESH, { refresh_token: "x" });
  expect(refresh.status).toBe(400);
  expect(await Promise.all(flood)).toContainEqual(rejected(429));
});

test("a flood of refreshes gets 503, because auth-js would end the session after 429", async () => {
  const client = await auth.admin.connect();
  await client.query("begin; lock table auth.refresh_tokens in access exclusive mode");
  const flood = Array.from({ length: 100 }, () => ask(REFRESH, { refresh_token: "x" }));
  expect(await Promise.race(flood)).toEqual(rejected(503));
  await client.query("rollback");
  client.release();
  expect((await Promise.all(flood)).map(({ status }) => status)).not.toContain(429);
});
