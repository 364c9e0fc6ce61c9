import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { signKeys } from "../../server/auth/keys.ts";
import { readMigrations } from "../../server/postgres/migrations.ts";
import { startBalancer } from "../support/balancer.ts";
import { runServerProgram } from "../support/command.ts";
import { startExternalServer } from "../support/external-server.ts";
import { clientOf } from "../support/process.ts";
import { launchSite, type SiteProcess } from "../support/site-process.ts";

const secret = randomBytes(32).toString("hex");
const server = await startExternalServer();
const database = await server.createDatabase();
const keys = await signKeys(secret);
// All three processes start at the same moment on an empty database, so all try to migrate and to seed it.
const sites = await Promise.all(Array.from({ length: 3 }, () => launch()));
await Promise.all(sites.map((site) => site.running()));
const member = await addMember();
afterAll(async () => {
  // After SIGTERM, they would wait three seconds for the proxy.
  await Promise.all(sites.map((site) => site.end("SIGINT")));
  await server.stop();
});

function launch(port?: string): Promise<SiteProcess> {
  return launchSite({
    DATABASE_URL: database,
    AUTH_JWT_SECRET: secret,
    SEED: "demo",
    TRUST_PROXY: "1",
    ...(port && { PORT: port }),
  });
}

function site(index: number): SiteProcess {
  const running = sites[index];
  if (!running) throw new Error(`There is no process ${index}`);
  return running;
}

/** The versions of the migrations that a process logged as applied. */
function appliedBy({ stderr }: SiteProcess): string[] {
  const lines = stderr()
    .split("\n")
    .filter((line) => line.includes('"migrations.applied"'));
  return lines.flatMap((line): string[] => JSON.parse(line).versions);
}

async function addMember() {
  const account = { email: `${randomBytes(4).toString("hex")}@example.com`, password: "a good password" };
  const { data, error } = await clientOf(site(0), keys.serviceKey).auth.admin.createUser({
    ...account,
    email_confirm: true,
  });
  if (error) throw error;
  return { ...account, id: data.user.id };
}

async function signIn(index: number): Promise<SupabaseClient> {
  const client = clientOf(site(index), keys.anonKey);
  const { error } = await client.auth.signInWithPassword(member);
  if (error) throw error;
  return client;
}

const article = (title: string) => ({ author_id: member.id, title, content: "x" });
const pageOf = async (url: string) => (await fetch(`${url}/articles`)).text();
const sql = (text: string) => server.query(text, new URL(database).pathname.slice(1));

test("when three processes start on an empty database, each migration is applied once, one process loads the demo, and all serve", async () => {
  const migrations = (await readMigrations()).map(({ version }) => version);
  // The log line may be written just after the site reports that it is running.
  await expect.poll(() => sites.flatMap(appliedBy).sort()).toEqual(migrations);
  const responses = await Promise.all(sites.map(({ url }) => fetch(`${url}/readyz`)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(sites.filter(({ stdout }) => stdout().includes("Sign in as"))).toHaveLength(1);
  const articles = await Promise.all(
    sites.map(
      async (site) => (await clientOf(site, keys.anonKey).from("articles").select("id")).data?.length,
    ),
  );
  expect(articles[0]).toBeGreaterThan(0);
  expect(new Set(articles).size).toBe(1);
});

test("an article written through one process appears on the pages of all processes", async () => {
  const author = await signIn(0);
  // Fill the page cache of each process, so that each cached page has to expire.
  await Promise.all(sites.map(({ url }) => pageOf(url)));
  const title = `Written ${randomBytes(4).toString("hex")}`;
  await author.from("articles").insert(article(title)).throwOnError();
  const expectEverywhere = async () => {
    for (const { url } of sites) expect(await pageOf(url)).toContain(title);
  };
  await vi.waitFor(expectEverywhere, { timeout: 10_000, interval: 100 });
});

test("an article deleted through one process returns 404 from all processes, and so does its social card", async () => {
  const author = await signIn(0);
  const row = { ...article("Soon gone"), published: true };
  const { data } = await author.from("articles").insert(row).select("id").single().throwOnError();
  const addresses = sites.flatMap(({ url }) => [
    `${url}/articles/${data.id}`,
    `${url}/cards/articles/${data.id}.png`,
  ]);
  const expectAll = async (status: number) => {
    const responses = await Promise.all(addresses.map((address) => fetch(address)));
    expect(responses.map((response) => response.status)).toEqual(addresses.map(() => status));
  };
  await vi.waitFor(() => expectAll(200), { timeout: 20_000 });
  await author.from("articles").delete().eq("id", data.id).throwOnError();
  expect(
    (await fetch(addresses[0] ?? "")).status,
    "the deleting process invalidates its own cache immediately",
  ).toBe(404);
  await vi.waitFor(() => expectAll(404), { timeout: 10_000, interval: 100 });
});

test("a change that an operator makes in SQL appears on the pages of all processes", async () => {
  await Promise.all(sites.map(({ url }) => pageOf(url)));
  await sql("update public.articles set title = 'By an operator'");
  const expectEverywhere = async () => {
    for (const { url } of sites) expect(await pageOf(url)).toContain("By an operator");
  };
  await vi.waitFor(expectEverywhere, { timeout: 10_000, interval: 100 });
});

test("a session works in other processes, and a global sign-out through one process ends it in another", async () => {
  const first = await signIn(0);
  const { data } = await first.auth.getSession();
  const token = data.session?.access_token ?? "";
  const elsewhere = createClient(site(2).url, keys.anonKey, { accessToken: async () => token });
  expect((await elsewhere.from("articles").insert(article("From another process"))).error).toBeNull();
  const renewed = clientOf(site(1), keys.anonKey);
  const refresh = await renewed.auth.refreshSession({ refresh_token: data.session?.refresh_token ?? "" });
  expect(refresh.error).toBeNull();
  await renewed.auth.signOut({ scope: "global" });
  expect((await elsewhere.from("articles").select("id")).status).toBe(401);
});

test("a member suspended through one process is rejected by all processes", async () => {
  const account = await addMember();
  const clients = await Promise.all(
    sites.map(async (_, index) => {
      const client = clientOf(site(index), keys.anonKey);
      await client.auth.signInWithPassword(account);
      return client;
    }),
  );
  const { code, stderr } = await runServerProgram(
    "server/cli/member.ts",
    ["suspend", "--email", account.email, "--for", "1h"],
    { DATABASE_URL: database, AUTH_JWT_SECRET: secret, PORT: new URL(site(1).url).port },
  );
  expect([code, JSON.parse(stderr).event]).toEqual([0, "member.suspended"]);
  const responses = await Promise.all(clients.map((client) => client.from("articles").select("id")));
  expect(responses.map(({ status }) => status)).toEqual(sites.map(() => 401));
  for (const client of clients) expect((await client.auth.getUser()).data.user).toBeNull();
});

test("ten failed sign-ins across three processes are counted together, and further ones get 429", async () => {
  const guess = (index: number) =>
    clientOf(site(index % 3), keys.anonKey).auth.signInWithPassword({
      email: "target@example.com",
      password: `guess ${index}`,
    });
  const statuses: (number | undefined)[] = [];
  for (let index = 0; index < 12; index++) statuses.push((await guess(index)).error?.status);
  expect(statuses.filter((status) => status === 400)).toHaveLength(10);
  expect(statuses.slice(10)).toEqual([429, 429]);
});

/** Between the requests of a loop, so that processes that start have CPU time. */
const PAUSE_MS = { visit: 250, write: 50 };

/**
 * Starts visitors and a writer, which run until `end` is called. Collects the ids of acknowledged writes and the status of
 * each request, which is 0 if there was no response.
 */
function startLoad(url: string, author: string) {
  let isOver = false;
  const statuses: number[] = [];
  const acknowledged: string[] = [];
  const status = (call: Promise<Response>) =>
    call.then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
  const apikey = keys.anonKey;
  const visit = async (path: string) => {
    while (!isOver) {
      statuses.push(await status(fetch(`${url}${path}`, { headers: { apikey } })));
      await sleep(PAUSE_MS.visit);
    }
  };
  const write = async () => {
    const headers = { apikey, authorization: `Bearer ${author}`, "content-type": "application/json" };
    while (!isOver) {
      const id = crypto.randomUUID();
      const body = JSON.stringify({ id, ...article("Under load") });
      const result = await status(fetch(`${url}/rest/v1/articles`, { method: "POST", headers, body }));
      statuses.push(result);
      if (result === 201) acknowledged.push(id);
      await sleep(PAUSE_MS.write);
    }
  };
  const done = Promise.all([
    visit("/"),
    visit("/articles"),
    visit("/rest/v1/articles?select=id&limit=1"),
    write(),
  ]);
  return {
    statuses,
    acknowledged,
    async end() {
      isOver = true;
      await done;
    },
  };
}

async function tokenOf(index: number): Promise<string> {
  const { data } = await (await signIn(index)).auth.getSession();
  return data.session?.access_token ?? "";
}

async function expectKept(ids: string[]) {
  const { rows } = await sql("select id from public.articles");
  const kept = new Set(rows.map(({ id }) => id));
  expect(ids.filter((id) => !kept.has(id))).toEqual([]);
}

const waitForResponses = (load: { statuses: number[] }, count: number) => {
  const before = load.statuses.length;
  return vi.waitFor(() => expect(load.statuses.length).toBeGreaterThan(before + count), { timeout: 15_000 });
};

/** Checks that the process first announces its stop to the proxy, and still serves all requests until it exits. */
async function stopBehindProxy(old: SiteProcess) {
  const statusOf = async (path: string) => (await fetch(`${old.url}${path}`)).status;
  const stopping = performance.now();
  old.child.kill("SIGTERM");
  await vi.waitFor(async () => expect(await statusOf("/healthz")).toBe(503), { timeout: 10_000 });
  expect(await statusOf("/articles")).toBe(200);
  const service = clientOf(old, keys.serviceKey);
  expect((await service.from("articles").insert(article("Announced"))).status).toBe(201);
  expect(await statusOf("/healthz")).toBe(503);
  expect(await old.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - stopping).toBeGreaterThan(2_000);
  expect(performance.now() - stopping).toBeLessThan(10_000);
}

test("no request fails during a rolling restart with a schema change, because /healthz returns 503 before a process stops", async () => {
  const pair = [site(0), site(1)];
  const balancer = await startBalancer(pair.map(({ url }) => url));
  onTestFinished(() => balancer.close());
  const load = startLoad(balancer.url, await tokenOf(2));
  await waitForResponses(load, 10);
  await sql("alter table public.articles add column test_subtitle text not null default ''");
  for (const [index, old] of pair.entries()) {
    await stopBehindProxy(old);
    await waitForResponses(load, 10);
    const next = await launch(new URL(old.url).port);
    sites[index] = next;
    await next.running();
    await waitForResponses(load, 10);
  }
  await load.end();
  expect(load.statuses.filter((status) => status >= 400 || status === 0)).toEqual([]);
  expect(load.acknowledged.length).toBeGreaterThan(0);
  await expectKept(load.acknowledged);
});

test("when a process is killed under load, only requests that it was processing fail", async () => {
  const [lost, survivor] = [site(1), site(2)];
  const balancer = await startBalancer([lost.url, survivor.url], { retriesRefused: true });
  onTestFinished(() => balancer.close());
  const load = startLoad(balancer.url, await tokenOf(2));
  await waitForResponses(load, 10);
  await lost.end("SIGKILL");
  await waitForResponses(load, 10);
  await load.end();
  const failures = load.statuses.filter((status) => status >= 400 || status === 0);
  const unanswered = balancer.counts.get(lost.url)?.unanswered ?? 0;
  expect(failures).toEqual(Array.from({ length: unanswered }, () => 502));
  // Each of the load's four loops has at most one request in flight, so the killed process had at most four.
  expect(unanswered).toBeLessThanOrEqual(4);
  expect(balancer.counts.get(survivor.url)?.unanswered).toBe(0);
  await expectKept(load.acknowledged);
});
