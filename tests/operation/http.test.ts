import { gunzipSync } from "node:zlib";
import { createClient as createSupabaseClient } from "@supabase/supabase-js";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { LIMITS } from "../../server/config/limits.ts";
import { createClient, exchange, inParallel, openSocket } from "../drills/client.ts";
import { connectAdmin } from "../support/data-dir.ts";
import { startServer } from "../support/server.ts";

const site = await startServer();
const port = Number(new URL(site.url).port);
afterAll(() => site.stop());

const send = (target: string, headers = "") =>
  exchange(port, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Connection: close\r\n\r\n`);

const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);

test.each([
  "/%72est/v1/articles",
  "/./rest/v1/articles",
  "/x/../rest/v1/articles",
  "http://a.test/rest/v1/articles",
])("a request for %s is handled as one for /rest/v1/articles, with the same limits", async (target) => {
  const key = `apikey: ${site.keys.anonKey}\r\n`;
  expect(statusOf(await send(target, key))).toBe(200);
  // The lock keeps the requests in flight, so that they exceed what one address may have running and queued.
  const admin = await connectAdmin(site.dataDir);
  await admin.query("begin; lock table public.articles");
  const sent = Array.from({ length: 300 }, () => send(target, key));
  await Promise.race(sent);
  await admin.end();
  expect((await Promise.all(sent)).map(statusOf)).toContain(429);
});

test("while twelve clients search a list for rare letters, three of the searches run, and other searches respond", async () => {
  const admin = await connectAdmin(site.dataDir);
  // The lock keeps the searches of this list in flight.
  await admin.query("begin; lock table public.code_samples");
  const client = createClient(site.url);
  let isOver = false;
  const searches = inParallel(12, async (worker) => {
    await client.ask(`/sample-code?q=${"abcdefghijkl"[worker]}q`, { from: `127.0.7.${worker + 1}` });
    return !isOver;
  });
  const running = async () => {
    const { rows } = await admin.query("select count(*)::int from pg_locks where not granted");
    return rows[0].count;
  };
  // End the searches even if this test fails.
  onTestFinished(async () => {
    isOver = true;
    await admin.end();
    await searches;
    client.close();
  });
  const { total } = LIMITS.concurrency.slowSearches;
  await expect.poll(running, { timeout: 10_000 }).toBe(total);
  for (const path of ["/articles?q=python", "/articles.data?q=python", "/useful-links?q=index"]) {
    expect((await client.ask(path, { from: "127.0.8.1" })).status).toBe(200);
    expect(await running()).toBeLessThanOrEqual(total);
  }
});

test("/.well-known/change-password leads password managers to the profile page, where members change their password", async () => {
  const response = await fetch(`${site.url}/.well-known/change-password`, { redirect: "manual" });
  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe("/profile");
});

test("/favicon.ico redirects to the SVG icon", async () => {
  const response = await fetch(`${site.url}/favicon.ico`);
  expect(new URL(response.url).pathname).toBe("/favicon.svg");
  expect(response.headers.get("content-type")).toContain("image/svg+xml");
});

test("pages, files, responses of the API and errors have the security headers, and don't name the server's software", async () => {
  const home = await fetch(site.url);
  const [script = ""] = /\/assets\/[^"]+\.js/.exec(await home.text()) ?? [];
  expect(script).not.toBe("");
  const rows = { headers: { apikey: site.keys.anonKey } };
  const requests: [path: string, init?: RequestInit][] = [
    ...[
      "/",
      "/articles",
      "/articles.data",
      "/nowhere",
      script,
      "/favicon.svg",
      "/robots.txt",
      "/healthz",
    ].map((path): [string] => [path]),
    ["/articles", { method: "DELETE" }],
    ["/rest/v1/articles", rows],
    ["/rest/v1/nope"],
    ["/auth/v1/user"],
    ["/auth/v1/nope"],
  ];
  for (const [path, init] of requests) {
    const { headers } = await fetch(site.url + path, init);
    expect(Object.fromEntries(headers), path).toMatchObject({
      "content-security-policy": expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "strict-origin-when-cross-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "cross-origin-resource-policy": "same-origin",
    });
    for (const name of ["x-powered-by", "server", "access-control-allow-origin"])
      expect(headers.has(name), `${path} ${name}`).toBe(false);
  }
});

test("browsers may cache files with a hash in their name for a year, and the icon for an hour", async () => {
  const cacheControlOf = async (path: string) => (await fetch(site.url + path)).headers.get("cache-control");
  const [, asset = ""] = /"(\/assets\/[^" ]+\.js)"/.exec(await (await fetch(site.url)).text()) ?? [];
  expect(await cacheControlOf(asset)).toBe("public, max-age=31536000, immutable");
  expect(await cacheControlOf("/favicon.svg")).toBe("public, max-age=3600");
});

test("a request with two Host headers gets 400", async () => {
  expect(statusOf(await send("/", "Host: other.test\r\n"))).toBe(400);
});

test("a request with two Accept-Encoding headers gets gzip, which only the second one names", async () => {
  const response = await exchange(
    port,
    "GET /articles HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity;q=0.5\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
  );
  const [head = "", body = ""] = response.split("\r\n\r\n", 2);
  expect(head.toLowerCase()).toContain("content-encoding: gzip");
  const bytes = Buffer.from(response.slice(head.length + 4), "latin1");
  expect(body).not.toContain("<html");
  expect(gunzipSync(bytes).toString()).toContain("<html");
});

test("/metrics returns 404 if METRICS_TOKEN is not set", async () => {
  const response = await fetch(`${site.url}/metrics`, { headers: { Authorization: "Bearer undefined" } });
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain("techfolio_");
});

test("the content type of a page's .data response includes the charset", async () => {
  expect((await fetch(`${site.url}/articles.data`)).headers.get("Content-Type")).toMatch(/charset=utf-8$/);
});

test.each(["/articles.data", "/articles.data?q=title"])(
  "a conditional request for %s gets 304 if nothing changed",
  async (path) => {
    const first = await fetch(site.url + path);
    expect(first.headers.get("Cache-Control")).toBe("no-cache");
    const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
    expect((await fetch(site.url + path, { headers })).status).toBe(304);
  },
);

test.each([
  ["/lists/articles", /<h1[^>]*>This page does not exist<\/h1>/],
  ["/profile/%zz", /<h1[^>]*>This page does not exist<\/h1>/],
])("%s returns 404 and logs no error", async (path, text) => {
  const before = site.output().length;
  const response = await fetch(site.url + path);
  expect(response.status).toBe(404);
  expect(await response.text()).toMatch(text);
  await expect.poll(() => site.output().slice(before)).toContain(path);
  const lines = site.output().slice(before).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).not.toContainEqual(
    expect.objectContaining({ level: "error" }),
  );
});

/** Headers that differ between responses even if the page is the same. */
const VARYING_HEADERS = new Set(["date", "x-request-id"]);

test("visits to a cached page get identical responses apart from the date and request id, each visit is logged, and a write expires the page", async () => {
  const service = createSupabaseClient(site.url, site.keys.serviceKey);
  const { data, error } = await service.auth.admin.createUser({
    email: "ada@example.com",
    email_confirm: true,
  });
  if (error) throw error;
  const author_id = data.user.id;
  const add = (title: string) =>
    service.from("articles").insert({ author_id, title, content: title }).throwOnError();
  await add("Before");

  const responses: { headers: [string, string][]; text: string; id: string | null }[] = [];
  for (let visits = 0; visits < 4; visits++) {
    const response = await fetch(`${site.url}/articles`);
    expect(response.status).toBe(200);
    responses.push({
      headers: [...response.headers].filter(([name]) => !VARYING_HEADERS.has(name)).sort(),
      text: await response.text(),
      id: response.headers.get("x-request-id"),
    });
  }
  const [first] = responses;
  expect(first?.text).toContain("Before");
  for (const { headers, text } of responses) {
    expect(headers).toEqual(first?.headers);
    expect(text).toBe(first?.text);
  }
  const ids = responses.map(({ id }) => id);
  expect(new Set(ids).size).toBe(responses.length);
  for (const id of ids) {
    const lines = () =>
      site
        .output()
        .split("\n")
        .filter((line) => line.includes(String(id)));
    await expect.poll(lines).toHaveLength(1);
    expect(JSON.parse(lines()[0] ?? "")).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: "info",
      event: "request",
      requestId: id,
      method: "GET",
      path: "/articles",
      status: 200,
      ms: expect.any(Number),
    });
  }

  await add("After");
  expect(await (await fetch(`${site.url}/articles`)).text()).toContain("After");
});

test("the home page stays available while 80 connections send searches that are not cached", async () => {
  const client = createClient(site.url);
  const service = { apikey: site.keys.serviceKey, "content-type": "application/json" };
  const member = await client.ask("/auth/v1/admin/users", {
    method: "POST",
    headers: service,
    body: JSON.stringify({
      email: "writer@techfolio.example",
      password: "correct horse battery",
      email_confirm: true,
    }),
  });
  const { id } = JSON.parse(member.body) as { id: string };
  let isOver = false;
  let at = 0;
  const flood = inParallel(80, async () => {
    await client.ask(`/articles?q=word${at++}`, { from: "127.0.3.1" });
    return !isOver;
  });
  const statuses: number[] = [];
  for (let time = 0; time < 5; time++) {
    await client.ask(`/rest/v1/profiles?id=eq.${id}`, {
      method: "PATCH",
      headers: service,
      body: JSON.stringify({ bio: `Written ${time} times` }),
    });
    statuses.push((await client.ask("/")).status);
  }
  isOver = true;
  await flood;
  client.close();
  expect(statuses).toEqual(Array.from({ length: 5 }, () => 200));
});

test("40 idle uploads do not block a large save", async () => {
  const head = `POST /rest/v1/useful_links HTTP/1.1\r\nHost: a\r\napikey: ${site.keys.anonKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[    \r\n`;
  const idle = await Promise.all(Array.from({ length: 40 }, () => openSocket(port)));
  for (const socket of idle) socket.write(head);
  const response = await fetch(`${site.url}/rest/v1/useful_links`, {
    method: "POST",
    headers: { apikey: site.keys.serviceKey, "Content-Type": "application/json" },
    body: JSON.stringify([]).padEnd(500_000),
  });
  for (const socket of idle) socket.destroy();
  expect(response.status).toBe(201);
});
