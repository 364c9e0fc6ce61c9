import { gunzipSync } from "node:zlib";
import { createClient as createSupabaseClient } from "@supabase/supabase-js";
import { afterAll, expect, test } from "vitest";
import { createClient, exchange, inParallel, openSocket } from "../drills/client.ts";
import { connectAdmin } from "../support/data-dir.ts";
import { startServer } from "../support/server.ts";

const site = await startServer();
const port = Number(new URL(site.url).port);
afterAll(() => site.stop());

const send = (target: string, headers = "") =>
  exchange(port, `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}Connection: close\r\n\r\n`);

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

test.each([
  "/%72est/v1/articles",
  "/./rest/v1/articles",
  "/x/../rest/v1/articles",
  "http://a.test/rest/v1/articles",
])("%s is the same address as /rest/v1/articles, and has its limits", async (target) => {
  const key = `apikey: ${site.keys.anonKey}\r\n`;
  expect(statusOf(await send(target, key))).toBe(200);
  // Statements that cannot go on, more of them at once than one address may have.
  const admin = await connectAdmin(site.dataDir);
  await admin.query("begin; lock table public.articles");
  const sent = Array.from({ length: 80 }, () => send(target, key));
  await Promise.race(sent);
  await admin.end();
  expect((await Promise.all(sent)).map(statusOf)).toContain(429);
});

test("browsers that ask for /favicon.ico are led to the icon", async () => {
  const answer = await fetch(`${site.url}/favicon.ico`);
  expect(new URL(answer.url).pathname).toBe("/favicon.svg");
  expect(answer.headers.get("content-type")).toContain("image/svg+xml");
});

test("files are kept for an hour, and for a year where their name changes with them", async () => {
  const kept = async (path: string) => (await fetch(site.url + path)).headers.get("cache-control");
  const [, asset = ""] = /"(\/assets\/[^" ]+\.js)"/.exec(await (await fetch(site.url)).text()) ?? [];
  expect(await kept(asset)).toBe("public, max-age=31536000, immutable");
  expect(await kept("/favicon.svg")).toBe("public, max-age=3600");
});

test("a request with two Host headers is a bad request", async () => {
  expect(statusOf(await send("/", "Host: other.test\r\n"))).toBe(400);
});

test("encodings that are accepted in several lines count together", async () => {
  const answer = await exchange(
    port,
    "GET /articles HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity;q=0.5\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
  );
  const [head = "", body = ""] = answer.split("\r\n\r\n", 2);
  expect(head.toLowerCase()).toContain("content-encoding: gzip");
  const bytes = Buffer.from(answer.slice(head.length + 4), "latin1");
  expect(body).not.toContain("<html");
  expect(gunzipSync(bytes).toString()).toContain("<html");
});

test("the metrics are closed without a token", async () => {
  const answer = await fetch(`${site.url}/metrics`, { headers: { Authorization: "Bearer undefined" } });
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain("techfolio_");
});

test("data for the browser says its charset", async () => {
  expect((await fetch(`${site.url}/articles.data`)).headers.get("Content-Type")).toMatch(/charset=utf-8$/);
});

test.each(["/articles.data", "/articles.data?q=title"])("%s is not sent twice", async (path) => {
  const first = await fetch(site.url + path);
  expect(first.headers.get("Cache-Control")).toBe("no-cache");
  const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
  expect((await fetch(site.url + path, { headers })).status).toBe(304);
});

test.each([
  ["/lists/articles", /<h1[^>]*>This page does not exist<\/h1>/],
  ["/profile/%zz.data", /<h1[^>]*>This page does not exist<\/h1>/],
])("%s is not found, and is no failure in the log", async (path, text) => {
  const before = site.output().length;
  const answer = await fetch(site.url + path);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toMatch(text);
  await expect.poll(() => site.output().slice(before)).toContain(path);
  const lines = site.output().slice(before).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).not.toContainEqual(
    expect.objectContaining({ level: "error" }),
  );
});

/** What differs between two answers with the same page. */
const OWN = new Set(["date", "x-request-id"]);

test("a page from memory is the same answer, has its own id and line in the log, and ends with a write", async () => {
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

  const answers: { headers: [string, string][]; text: string; id: string | null }[] = [];
  for (let visits = 0; visits < 4; visits++) {
    const response = await fetch(`${site.url}/articles`);
    expect(response.status).toBe(200);
    answers.push({
      headers: [...response.headers].filter(([name]) => !OWN.has(name)).sort(),
      text: await response.text(),
      id: response.headers.get("x-request-id"),
    });
  }
  const [first] = answers;
  expect(first?.text).toContain("Before");
  for (const { headers, text } of answers) {
    expect(headers).toEqual(first?.headers);
    expect(text).toBe(first?.text);
  }
  const ids = answers.map(({ id }) => id);
  expect(new Set(ids).size).toBe(answers.length);
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

test("80 connections of searches that nobody made before never make the home page unavailable", async () => {
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

test("40 idle uploads of strangers keep nobody from a large save", async () => {
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
