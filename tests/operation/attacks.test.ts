// Attacks that need nothing but the public key. A member and a visitor use the site during each of them.
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createClient, inParallel } from "../drills/client.ts";
import { newClusterDir } from "../support/cluster.ts";
import { readKeys } from "../support/data-dir.ts";
import { createCommunity } from "../support/members.ts";
import { launchSite } from "../support/site-process.ts";

/** Generous, because other tests run on the same machine. */
const MAX_MS = 3_000;

const dataDir = await newClusterDir();
const site = await launchSite({ DATA_DIR: dataDir, SEED: "none" }, { maxOpenFiles: 1_024 });
await site.running();
const port = Number(new URL(site.url).port);
const keys = await readKeys(dataDir);
const community = createCommunity({ ...site, dataDir, keys });
const member = await community.addMember({ full_name: "A Member" });
const { access_token } = await community.openSession(member);
const client = createClient(site.url);
afterAll(async () => {
  client.close();
  await site.end("SIGTERM");
});

async function publish(count: number, content: string, created_at: string): Promise<void> {
  const row = { author_id: member.id, title: "An article", content, created_at };
  const rows = Array.from({ length: count }, () => row);
  await community.admin.from("articles").insert(rows).throwOnError();
}
// The list shows the short articles. The long ones make searches and responses expensive.
await publish(60, "A short text.", "2026-01-02");
for (let part = 0; part < 10; part++) await publish(10, "a long text ".repeat(6_000), "2026-01-01");

const apikey = keys.anonKey;
const json = { apikey, "content-type": "application/json" };

/** Signs in, saves and reads a page in a loop until the attack ends. */
async function visitWhile(isRunning: () => boolean) {
  const statuses: number[] = [];
  let slowest = 0;
  const ask: typeof client.ask = async (path, options) => {
    const response = await client.ask(path, { ...options, from: "127.0.8.1" });
    statuses.push(response.status);
    slowest = Math.max(slowest, response.milliseconds);
    return response;
  };
  do {
    const { email, password } = member;
    const credentials = JSON.stringify({ email, password });
    const row = { profile_id: member.id, title: "Saved", url: "/", category: "Test" };
    await ask("/auth/v1/token?grant_type=password", { method: "POST", headers: json, body: credentials });
    await ask("/rest/v1/useful_links", {
      method: "POST",
      headers: { ...json, authorization: `Bearer ${access_token}` },
      body: JSON.stringify(row),
    });
    await ask("/articles");
    await sleep(100);
  } while (isRunning());
  return { statuses: new Set(statuses), slowest };
}

async function expectServed(attack: Promise<unknown>): Promise<void> {
  let isOver = false;
  const visits = visitWhile(() => !isOver);
  await attack;
  isOver = true;
  const { statuses, slowest } = await visits;
  expect([...statuses].toSorted()).toEqual([200, 201]);
  expect(slowest).toBeLessThan(MAX_MS);
  expect(site.child.exitCode).toBeNull();
}

function open(localAddress: string, request = ""): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  socket.write(request);
  onTestFinished(() => void socket.destroy());
  return socket;
}

test("unfinished request bodies from four addresses block neither sign-ins nor saves", async () => {
  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\napikey: ${apikey}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`;
  for (let count = 0; count < 44; count++) {
    const address = `127.0.7.${(count % 4) + 1}`;
    open(address, head("/auth/v1/token?grant_type=password", 60_000)).resume();
    open(address, head("/rest/v1/rpc/search_content", 16_000)).resume();
  }
  await expectServed(sleep(3_000));
});

test("1,200 idle connections do not crash a process limited to 1,024 open files", async () => {
  for (let count = 0; count < 1_200; count++) open(`127.0.7.${(count % 3) + 1}`).resume();
  await sleep(500);
  const card = client.ask("/cards/site.png", { from: "127.0.8.2" });
  await expectServed(sleep(3_000));
  expect((await card).status).toBe(200);
});

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${site.child.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

test("the server uses less than 500 MB of memory while 80 clients request long articles and read nothing", async () => {
  const path = "/rest/v1/articles?select=title,content&limit=100";
  for (let count = 0; count < 80; count++) {
    open("127.0.7.1", `GET ${path} HTTP/1.1\r\nHost: a\r\napikey: ${apikey}\r\n\r\n`).pause();
  }
  let peak = 0;
  const watchMemory = async () => {
    for (let count = 0; count < 30; count++) {
      peak = Math.max(peak, await residentMegabytes());
      await sleep(100);
    }
  };
  await expectServed(watchMemory());
  expect(peak).toBeLessThan(500);
});

test("slow searches from three addresses do not keep a member from saving", async () => {
  const conditions = Array.from({ length: 19 }, (_, number) => `content.ilike.*no${number}*`).join();
  const path = `/rest/v1/articles?select=id&or=(${conditions})`;
  const end = performance.now() + 4_000;
  const attack = inParallel(36, async (worker) => {
    const { status } = await client.ask(path, {
      headers: { apikey },
      from: `127.0.7.${(worker % 3) + 1}`,
    });
    // Some searches succeed. The rest must be rejected cleanly.
    expect([200, 429, 503, 504]).toContain(status);
    return performance.now() < end;
  });
  await expectServed(attack);
});

test("requests for lists with oversized parameters do not block other clients", async () => {
  const end = performance.now() + 3_000;
  const paths = ["/articles?all=1", "/articles?size=900", "/articles.data?all=1&size=900"];
  const attack = inParallel(2, async (worker) => {
    for (const path of paths) await client.ask(path, { from: `127.0.7.${worker + 1}` });
    return performance.now() < end;
  });
  await expectServed(attack);
});

test("a client that requests hundreds of cards gets 429s, while other clients still get pages and new cards", async () => {
  const people: string[] = [];
  for (let count = 0; count < 20; count++) {
    people.push((await community.addMember({ full_name: `Ada ${count}` })).id);
  }
  const statuses = new Set<number>();
  const attack = inParallel(60, async (worker) => {
    const { status } = await client.ask(`/cards/people/${people[worker % people.length]}.png`, {
      from: "127.0.7.1",
    });
    statuses.add(status);
    return statuses.size < 2;
  });
  const card = client.ask(`/cards/people/${member.id}.png`, { from: "127.0.8.2" });
  await expectServed(attack);
  expect((await card).status).toBe(200);
  expect([...statuses].toSorted()).toEqual([200, 429]);
});
