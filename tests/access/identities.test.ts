// Sends thousands of interleaved requests as four identities, and checks that none runs under another request's identity,
// even if requests fail or are aborted.
// See "Identity leaking between requests" in docs/access-rules.md.
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, expect, test } from "vitest";
import { createPipeline } from "../../server/api/pipeline.ts";
import { openDatabase } from "../../server/postgres/database.ts";
import { createRest } from "../../server/rest/rest-routes.ts";
import { type Member, startTestRest } from "../support/rest.ts";

const REQUESTS = 800;
const AT_ONCE = 40;
const CONNECTIONS = 3;

let ada: Member;
let grace: Member;
let ended: Member;

const rest = await startTestRest();
[ada, grace, ended] = [await rest.signedIn(), await rest.signedIn(), await rest.signedIn()];
await rest.admin.query("delete from auth.sessions where id = $1", [ended.sessionId]);
// With fewer connections than concurrent requests, each connection serves every identity.
const database = openDatabase({ connectionString: rest.connectionString, size: CONNECTIONS });
// Open the connections before the load: on a busy machine, connecting could exceed the connection timeout.
await Promise.all(Array.from({ length: CONNECTIONS }, () => database.ready()));
const pipeline = createPipeline({ ...rest, database });
const { schemaCache } = rest;
const app = new Hono().route("/rest/v1", createRest({ pipeline, schemaCache, onWrite: () => undefined }));
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
if (!server.listening) await once(server, "listening");
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest/v1`;
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await database.close();
  await rest.stop();
});

interface Sent {
  path: string;
  init: RequestInit;
}

function request(token: string | undefined, method: string, path: string, body?: object): Sent {
  const headers: Record<string, string> = { apikey: rest.keys.anonKey, prefer: "return=representation" };
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (body === undefined) return { path, init: { method, headers } };
  headers["content-type"] = "application/json";
  return { path, init: { method, headers, body: JSON.stringify(body) } };
}

/** Returns one of six kinds of request, and a function that asserts that the response is the right one for `member`. */
function makeRequest(member: Member | undefined, at: number): [Sent, (status: number, rows: Row[]) => void] {
  const token = member?.token;
  // The name is the sender's id. A row whose profile_id differs from its name is stored only if its request runs under a
  // wrong identity. The query at the end of the test looks for such rows.
  const row = { profile_id: member?.id ?? ada.id, name: member?.id ?? "visitor" };
  const isRefused = member === undefined || member === ended;
  switch (at % 6) {
    case 0:
      return [request(token, "POST", "skills", row), (status) => expect(status).toBe(isRefused ? 401 : 201)];
    case 1:
      return [
        request(token, "PATCH", `profiles?id=in.(${ada.id},${grace.id})`, { username: row.name }),
        (status, rows) => {
          expect(status).toBe(isRefused ? 401 : 200);
          expect(rows.map(({ id }) => id)).toEqual(isRefused ? [] : [member?.id]);
        },
      ];
    case 2:
      return [
        request(token, "POST", "skills", { ...row, proficiency: 9 }),
        (status) => expect(status).toBe(isRefused ? 401 : 400),
      ];
    case 3:
      return [
        request(token, "POST", "skills", { ...row, profile_id: member === ada ? grace.id : ada.id }),
        (status) => expect(status).toBe(isRefused ? 401 : 403),
      ];
    case 4:
      return [
        request(token, "GET", "skills?limit=5"),
        (status) => expect(status).toBe(member === ended ? 401 : 200),
      ];
    default:
      return [
        request(token, "DELETE", "skills?created_at=lt.2000-01-01"),
        (status, rows) => {
          expect(status).toBe(isRefused ? 401 : 200);
          expect(rows).toEqual([]);
        },
      ];
  }
}

interface Row {
  id: string;
  profile_id: string;
  name: string;
}

type Outcome = "completed" | "aborted";

/**
 * Repeats a request until no limit rejects it. A rejected request hasn't run under any identity, so its response could
 * not reveal a mix-up.
 */
async function untilServed({ path, init }: Sent, signal: AbortSignal): Promise<Response> {
  const response = await fetch(`${origin}/${path}`, { ...init, signal });
  return response.status === 429 || response.status === 503 ? untilServed({ path, init }, signal) : response;
}

async function send(at: number): Promise<Outcome> {
  const [sent, check] = makeRequest([undefined, ada, grace, ended][Math.trunc(at / 6) % 4], at);
  const abort = new AbortController();
  // Every seventh request is aborted before, during or just after its processing.
  if (at % 7 === 0) setTimeout(() => abort.abort(), at % 4);
  try {
    const response = await untilServed(sent, abort.signal);
    const body = await response.json();
    check(response.status, Array.isArray(body) ? body : []);
    return "completed";
  } catch (error) {
    if (abort.signal.aborted) return "aborted";
    throw error;
  }
}

test("interleaved requests of four identities each run under their sender's identity", async () => {
  let next = 0;
  const outcomes: Record<Outcome, number> = { completed: 0, aborted: 0 };
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < REQUESTS) outcomes[await send(next++)] += 1;
    }),
  );
  expect(outcomes.completed).toBeGreaterThanOrEqual(Math.floor((REQUESTS * 6) / 7));
  expect(outcomes.aborted).toBeGreaterThan(0);

  const { rows } = await rest.admin.query<Row>("select profile_id, name from public.skills");
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ profile_id, name }) => profile_id !== name)).toEqual([]);
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set([ada.id, grace.id]));
  const profiles = await rest.admin.query(
    "select id from public.profiles where username is not null and username <> id::text",
  );
  expect(profiles.rows).toEqual([]);
}, 60_000);
