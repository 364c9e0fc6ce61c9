import { rm } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { backUp } from "../support/backups.ts";
import { newClusterDir } from "../support/cluster.ts";
import { readKeys } from "../support/data-dir.ts";
import { startMailServer } from "../support/mail-server.ts";
import { adminOf, startHere, startShared, temporaryCluster } from "../support/process.ts";

const TOKEN = "a-token-of-23-characters";

const dataDir = await newClusterDir();
const site = await startShared({ DATA_DIR: dataDir, SEED: "none", METRICS_TOKEN: TOKEN });
const keys = await readKeys(dataDir);
afterAll(async () => {
  await site.stop();
  await rm(dataDir, { recursive: true });
});

async function startSite(settings: Record<string, string> = {}) {
  const DATA_DIR = await temporaryCluster();
  const started = await startHere({ DATA_DIR, SEED: "none", METRICS_TOKEN: TOKEN, ...settings });
  return { ...started, dataDir: DATA_DIR, keys: await readKeys(DATA_DIR) };
}

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Fetches and parses the metrics (Prometheus' text format 0.0.4). Throws on an invalid line. */
async function readMetrics(url = site.url): Promise<Sample[]> {
  const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [, name, labels = "", value] = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    if (name === undefined) throw new Error(`Not a sample: ${line}`);
    const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
    return { name, labels: Object.fromEntries(pairs), value: Number(value) };
  });
}

async function sum(name: string, labels: Record<string, string> = {}, url = site.url): Promise<number> {
  const wanted = Object.entries(labels);
  const samples = (await readMetrics(url)).filter(
    (sample) => sample.name === name && wanted.every(([key, text]) => sample.labels[key] === text),
  );
  return samples.reduce((total, { value }) => total + value, 0);
}

const requests = "techfolio_http_requests_total";

test("the metrics and /healthz name the version in package.json", async () => {
  const { version } = packageJson;
  expect(await (await fetch(`${site.url}/healthz`)).text()).toBe(`ok ${version}\n`);
  expect(await sum("techfolio_build_info", { version })).toBe(1);
});

test("requests are counted by route, method and status, and timed by route", async () => {
  const apikey = keys.anonKey;
  const headers = { apikey, Authorization: `Bearer ${apikey}` };
  await fetch(`${site.url}/articles?q=1`);
  await fetch(`${site.url}/nowhere`);
  await fetch(`${site.url}/rest/v1/articles?select=id`, { headers });
  await fetch(`${site.url}/rest/v1/no_such_table`, { headers });
  await fetch(`${site.url}/auth/v1/settings`, { headers });
  expect(await sum(requests, { route: "/articles", method: "GET", status: "200" })).toBe(1);
  expect(await sum(requests, { route: "/*", method: "GET", status: "404" })).toBe(1);
  expect(await sum(requests, { route: "/rest/v1/:table", status: "200" })).toBe(1);
  expect(await sum(requests, { route: "/rest/v1/:table", status: "404" })).toBe(1);
  expect(await sum(requests, { route: "/auth/v1/settings", status: "200" })).toBe(1);
  expect(await sum("techfolio_http_request_duration_seconds_count", { route: "/articles" })).toBe(1);
  expect(await sum("techfolio_http_request_duration_seconds_sum", { route: "/articles" })).toBeGreaterThan(0);
});

test("requests with unknown paths and methods add no new labels to the metrics", async () => {
  // Excludes Node's metrics, some of which appear only later, such as one per kind of garbage collection.
  const names = async () => {
    const own = (await readMetrics()).filter(({ name }) => name.startsWith("techfolio_"));
    return new Set(own.map(({ name, labels }) => JSON.stringify([name, labels])));
  };
  const sendRequests = async (prefix: string) => {
    for (let count = 0; count < 3; count++) {
      for (const path of [
        "",
        "rest/v1/",
        "rest/v1/a/",
        "auth/v1/",
        "auth/v1/admin/users/",
        "assets/",
        "articles/",
      ]) {
        await fetch(`${site.url}/${path}${prefix}${count}`);
      }
      await fetch(`${site.url}/articles`, { method: `${prefix}${count}`.toUpperCase() });
    }
  };
  await sendRequests("first");
  const before = await names();
  await sendRequests("second");
  expect([...(await names())].filter((name) => !before.has(name))).toEqual([]);
});

test("hits and misses of the page cache are counted separately", async () => {
  const lookups = (result: string) => sum("techfolio_page_cache_lookups_total", { result });
  const [hits, misses] = [await lookups("hit"), await lookups("miss")];
  await fetch(`${site.url}/useful-links`);
  await fetch(`${site.url}/useful-links`);
  await fetch(`${site.url}/useful-links`);
  expect([await lookups("hit"), await lookups("miss")]).toEqual([hits + 2, misses + 1]);
});

test("each request for a cached page is counted once, however often the metrics are read", async () => {
  const labels = { route: "/sample-code", method: "GET", status: "200" };
  const before = await sum(requests, labels);
  for (let visits = 0; visits < 4; visits++) await fetch(`${site.url}/sample-code`);
  expect(await sum(requests, labels)).toBe(before + 4);
  expect(await sum(requests, labels)).toBe(before + 4);
});

test("failed sign-ins and rate-limited ones are counted separately", async () => {
  const failures = (limited: string) => sum("techfolio_sign_in_failures_total", { limited });
  const signIn = () =>
    fetch(`${site.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { apikey: keys.anonKey, "Content-Type": "application/json" },
      body: JSON.stringify({ email: "nobody@example.com", password: "wrong" }),
    });
  expect([await failures("false"), await failures("true")]).toEqual([0, 0]);
  for (let count = 0; count < 10; count++) await signIn();
  expect(await failures("true")).toBe(0);
  await signIn();
  expect([await failures("false"), await failures("true")]).toEqual([10, 1]);
});

test("metrics cover the connection pool, event loop and memory usage", async () => {
  const connections = "techfolio_database_connections";
  const total = await sum(connections, { state: "total" });
  expect(total).toBeGreaterThan(0);
  expect(await sum(connections, { state: "idle" })).toBeLessThanOrEqual(total);
  expect(await sum(connections, { state: "waiting" })).toBe(0);
  expect(await sum("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThan(0);
  expect(await sum("process_resident_memory_bytes")).toBeGreaterThan(1e6);
});

test("metrics have the pool's size, the database's size, members, sessions and free disk space, and the last backup's time once there is one", async () => {
  expect(await sum("techfolio_database_connections", { state: "limit" })).toBe(15);
  expect(await sum("techfolio_database_size_bytes")).toBeGreaterThan(1e6);
  expect(await sum("techfolio_free_disk_bytes")).toBeGreaterThan(0);
  const names = (await readMetrics()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["techfolio_members", "techfolio_sessions"]));
  expect(names).not.toContain("techfolio_last_backup_timestamp_seconds");
  expect([await sum("techfolio_database_up"), await sum("techfolio_backup_overdue")]).toEqual([1, 0]);

  const other = await startSite();
  const service = { apikey: other.keys.serviceKey, Authorization: `Bearer ${other.keys.serviceKey}` };
  const login = { email: "counted@example.com", password: "a member's long password" };
  const post = (path: string, body: object, headers: Record<string, string>) =>
    fetch(`${other.url}/auth/v1/${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  await post("admin/users", { ...login, email_confirm: true }, service);
  await post("token?grant_type=password", login, { apikey: other.keys.anonKey });
  const start = Date.now() / 1_000;
  await backUp({ DATA_DIR: other.dataDir });
  const sumThere = (name: string) => sum(name, {}, other.url);
  expect([await sumThere("techfolio_members"), await sumThere("techfolio_sessions")]).toEqual([1, 1]);
  expect(await sumThere("techfolio_last_backup_timestamp_seconds")).toBeGreaterThanOrEqual(Math.floor(start));
});

test("a site without a backup reports one as overdue a day after its first account", async () => {
  const other = await startSite();
  const admin = await adminOf(other.dataDir);
  await admin.query(
    "insert into auth.users (id, created_at) values (gen_random_uuid(), now() - interval '2 days')",
  );
  expect(await sum("techfolio_backup_overdue", {}, other.url)).toBe(1);
});

test("emails that the mail server accepts or rejects are counted", async () => {
  const accepting = await startMailServer();
  const refusing = await startMailServer("MAIL");
  for (const [server, counts] of [
    [accepting, [1, 0]],
    [refusing, [0, 1]],
  ] as const) {
    const smtp = {
      SMTP_HOST: "127.0.0.1",
      SMTP_PORT: String(server.smtp.port),
      SMTP_FROM: "site@example.com",
    };
    const mailing = await startSite(smtp);
    const { serviceKey } = mailing.keys;
    await fetch(`${mailing.url}/auth/v1/invite`, {
      method: "POST",
      headers: {
        apikey: serviceKey,
        Authorization: `Bearer ${serviceKey}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({ email: "invited@example.com" }),
    });
    const mails = (result: string) => sum("techfolio_emails_total", { result }, mailing.url);
    expect([await mails("sent"), await mails("failed")]).toEqual(counts);
  }
});

test.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`])(
  "the Authorization header %j gives access to the metrics",
  async (Authorization) => {
    expect((await fetch(`${site.url}/metrics`, { headers: { Authorization } })).status).toBe(200);
  },
);

test.each([
  ["", 401],
  ["Bearer x", 401],
  [`Bearer ${TOKEN}x`, 401],
  ["Bearer", 400],
  [`Basic ${TOKEN}`, 400],
  [TOKEN, 400],
])("the Authorization header %j does not give access to the metrics", async (authorization, status) => {
  const headers = new Headers(authorization === "" ? {} : { authorization });
  const response = await fetch(`${site.url}/metrics`, { headers });
  expect(response.status).toBe(status);
  expect(response.headers.get("WWW-Authenticate")).toContain("Bearer");
  expect(await response.text()).not.toContain("techfolio_");
});
