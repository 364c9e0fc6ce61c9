// Attacks that need nothing more than the site's public API key. While most of them run, a member and a visitor use the
// site, and all of their requests must succeed.
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { createClient, inParallel } from "../drills/client.ts";
import { quantile } from "../drills/figure.ts";
import { newClusterDir } from "../support/cluster.ts";
import { readKeys } from "../support/data-dir.ts";
import { createCommunity } from "../support/members.ts";
import { launchSite } from "../support/site-process.ts";

const VISITS = 5;
const SEARCHERS = 18;

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
// The page /articles shows only the short articles, because they are newer. The long ones make searches and API
// responses expensive.
await publish(60, "A short text.", "2026-01-02");
for (let part = 0; part < 10; part++) await publish(10, "a long text ".repeat(6_000), "2026-01-01");

const apikey = keys.anonKey;
const json = { apikey, "content-type": "application/json" };

const save = () =>
  client.ask("/rest/v1/useful_links", {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${access_token}` },
    body: JSON.stringify({ profile_id: member.id, title: "Saved", url: "/", category: "Test" }),
    from: "127.0.8.1",
  });

/** Signs in, saves a link and reads a page several times, from an address that no attacker uses. Every request must succeed. */
async function expectServed(): Promise<void> {
  const credentials = JSON.stringify({ email: member.email, password: member.password });
  const signIn = { method: "POST", headers: json, body: credentials, from: "127.0.8.1" };
  const statuses: number[][] = [];
  for (let visit = 0; visit < VISITS; visit++) {
    const signedIn = await client.ask("/auth/v1/token?grant_type=password", signIn);
    const saved = await save();
    const page = await client.ask("/articles", { from: "127.0.8.1" });
    statuses.push([signedIn.status, saved.status, page.status]);
  }
  expect(statuses).toEqual(Array.from({ length: VISITS }, () => [200, 201, 200]));
  expect(site.child.exitCode).toBeNull();
}

function open(localAddress: string, request = ""): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  socket.write(request);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Resolves when the connection has been opened, or closed by the server. */
const opened = (socket: Socket) =>
  new Promise<void>((resolve) => {
    for (const event of ["connect", "close"]) socket.once(event, () => resolve());
  });

/**
 * Resolves when the first bytes of the response have arrived or the server has closed the connection. Reads nothing, so
 * that the server has to keep the rest of the response.
 */
const answered = (socket: Socket) =>
  new Promise<void>((resolve) => {
    for (const event of ["readable", "close"]) socket.once(event, () => resolve());
  });

test("unfinished request bodies from four addresses do not block another client's sign-ins, saves and page views", async () => {
  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\napikey: ${apikey}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`;
  const sockets = Array.from({ length: 44 }, (_, count) => `127.0.7.${(count % 4) + 1}`).flatMap(
    (address) => [
      open(address, head("/auth/v1/token?grant_type=password", 60_000)).resume(),
      open(address, head("/rest/v1/rpc/search_content", 16_000)).resume(),
    ],
  );
  await Promise.all(sockets.map(opened));
  await expectServed();
  // The server was still waiting for these bodies while it processed the sign-ins and saves.
  expect(sockets.filter(({ closed }) => closed)).toEqual([]);
});

test("a server limited to 1,024 open files keeps serving other clients during 1,200 idle connections", async () => {
  const sockets = Array.from({ length: 1_200 }, (_, count) => open(`127.0.7.${(count % 3) + 1}`).resume());
  await Promise.all(sockets.map(opened));
  const card = await client.ask("/cards/site.png", { from: "127.0.8.2" });
  expect(card.status).toBe(200);
  await expectServed();
});

test("four clients that don't read responses of 5 MB from /rest/v1 keep no slot from other visitors and members", async () => {
  const request = `GET /rest/v1/articles?select=title,content&limit=70 HTTP/1.1\r\nHost: a\r\napikey: ${apikey}\r\n`;
  const visitors = Array.from({ length: 4 }, (_, count) =>
    open(`127.0.7.${count + 1}`, `${request}\r\n`.repeat(2)),
  );
  const sent = `${request}Authorization: Bearer ${access_token}\r\n\r\n`;
  const members = Array.from({ length: 2 }, () => open("127.0.7.5", sent.repeat(2)));
  await Promise.all([...visitors, ...members].map(answered));
  for (let visit = 0; visit < VISITS; visit++) {
    const read = await client.ask("/rest/v1/articles?select=id&limit=3", {
      headers: { apikey },
      from: "127.0.8.1",
    });
    expect([read.status, (await save()).status]).toEqual([200, 201]);
  }
  // None of these clients has received its second response.
  expect(
    [...visitors, ...members].filter(({ closed, bytesRead }) => closed || bytesRead > 5_100_000),
  ).toEqual([]);
});

test("rejected requests after a response of 5 MB that nobody reads keep no slot", async () => {
  const head = `Host: a\r\napikey: ${apikey}\r\n\r\n`;
  const large = `GET /rest/v1/articles?select=title,content&limit=70 HTTP/1.1\r\n${head}`;
  const rejected = `GET /rest/v1/articles?select=nothing HTTP/1.1\r\n${head}`;
  const user = `GET /auth/v1/user HTTP/1.1\r\nAuthorization: Bearer ${access_token}\r\n${head}`;
  const sockets = Array.from({ length: 6 }, (_, count) =>
    open(`127.0.7.${count + 1}`, large.repeat(2) + (rejected + user).repeat(2)),
  );
  await Promise.all(sockets.map(answered));
  await expectServed();
  expect(sockets.filter(({ closed, bytesRead }) => closed || bytesRead > 5_100_000)).toEqual([]);
});

test("400 requests of a member for the operators' session fail no other member's sign-ins, saves and page views", async () => {
  const headers = { apikey, authorization: `Bearer ${access_token}` };
  const flood = Array.from({ length: 400 }, () =>
    client.ask("/admin/v1/session", { headers, from: "127.0.7.1" }),
  );
  await expectServed();
  // The server closes connections beyond the limit for one address.
  const statuses = new Set((await Promise.all(flood)).map(({ status }) => status));
  expect(statuses).toContain(403);
  expect([...statuses].filter((status) => ![0, 403, 429].includes(status))).toEqual([]);
  expect(site.output()).not.toContain("admin.failed");
});

async function residentMegabytes(): Promise<number> {
  const status = await readFile(`/proc/${site.child.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

test("the server uses less than 400 MB of memory while 80 clients request long articles without reading the responses", async () => {
  const path = "/rest/v1/articles?select=title,content&limit=100";
  const sockets = Array.from({ length: 80 }, () =>
    // Each client sends the request twice: the operating system buffers most of the first response, so only the second
    // one can fill the server's memory.
    open("127.0.7.1", `GET ${path} HTTP/1.1\r\nHost: a\r\napikey: ${apikey}\r\n\r\n`.repeat(2)),
  );
  await Promise.all(sockets.map(answered));
  await expectServed();
  expect(await residentMegabytes()).toBeLessThan(400);
});

test("while three addresses send slow searches, a member's median save takes less than half as long as the median search", async () => {
  const conditions = Array.from({ length: 19 }, (_, number) => `content.ilike.*no${number}*`).join();
  const path = `/rest/v1/articles?select=id&or=(${conditions})`;
  let isOver = false;
  const searches: number[] = [];
  const attack = inParallel(SEARCHERS, async (worker) => {
    const { status, milliseconds } = await client.ask(path, {
      headers: { apikey },
      from: `127.0.7.${(worker % 3) + 1}`,
    });
    // Some searches succeed. All others must have been ended by a limit or by the statement timeout.
    expect([200, 429, 503, 504]).toContain(status);
    searches.push(milliseconds);
    return !isOver;
  });
  // End the searches even if this test fails, because the next tests need an idle server.
  onTestFinished(() => {
    isOver = true;
    return attack;
  });
  const saves: number[] = [];
  while (searches.length < SEARCHERS) {
    const { status, milliseconds } = await save();
    expect(status).toBe(201);
    saves.push(milliseconds);
  }
  await expectServed();
  expect(quantile(saves, 0.5)).toBeLessThan(quantile(searches, 0.5) / 2);
});

test.each(["/articles?all=1", "/articles?size=900", "/articles?all=1&size=900"])(
  "%s shows exactly as many items as /articles",
  async (path) => {
    const items = ({ body }: { body: string }) => body.match(/href="\/articles\/[^"/?#]+"/g)?.length ?? 0;
    const list = items(await client.ask("/articles"));
    expect(list).toBeGreaterThan(0);
    expect(items(await client.ask(path))).toBe(list);
  },
);

test("a client with 60 concurrent requests for social cards gets 429s, while other clients still get pages and new cards", async () => {
  const profiles = Array.from({ length: 20 }, (_, count) => ({ full_name: `Ada ${count}` }));
  const people = await community.addMembers(profiles);
  const statuses = new Set<number>();
  const attack = inParallel(60, async (worker) => {
    const { status } = await client.ask(`/cards/people/${people[worker % people.length]}.png`, {
      from: "127.0.7.1",
    });
    statuses.add(status);
    return statuses.size < 2;
  });
  const card = client.ask(`/cards/people/${member.id}.png`, { from: "127.0.8.2" });
  await expectServed();
  await attack;
  expect((await card).status).toBe(200);
  expect([...statuses].toSorted()).toEqual([200, 429]);
});
