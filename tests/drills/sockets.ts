import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { createClient, exchange, inParallel, openSocket } from "./client.ts";
import { type Drill, type Figure, none, quantile } from "./figure.ts";
import { createRandom } from "./random.ts";
import { now } from "./running-clock.ts";
import { type DrillSite, withSite } from "./site.ts";

const MB = 1024 * 1024;
/** What the server may hold at the end of all this. */
const MOST_MB = 512;

/** Resident memory of the server process. */
async function memory(site: DrillSite): Promise<number> {
  const status = await readFile(`/proc/${site.child().pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** A connection, after how many milliseconds it was closed, and what came back on it. */
interface Watched {
  socket: Socket;
  closed: Promise<number>;
  answer(): string;
}

function watch(socket: Socket): Watched {
  const begin = now();
  let answer = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    answer += text;
  });
  const closed = new Promise<number>((resolve) => socket.once("close", () => resolve(now() - begin)));
  return { socket, closed, answer: () => answer };
}

async function openAll(site: DrillSite, count: number, first: string): Promise<Watched[]> {
  const sockets: Watched[] = [];
  while (sockets.length < count) {
    const opened = await Promise.all(
      Array.from({ length: Math.min(100, count - sockets.length) }, () => openSocket(site.port)),
    );
    for (const socket of opened) {
      const watched = watch(socket);
      if (first !== "") socket.write(first);
      sockets.push(watched);
    }
  }
  return sockets;
}

/** Sends a byte now and then on each, as somebody does who only wants to keep the server waiting. */
function drip(sockets: Watched[], bytes: string): NodeJS.Timeout {
  return setInterval(() => {
    for (const { socket } of sockets) if (socket.writable) socket.write(bytes);
  }, 900);
}

async function hold(
  site: DrillSite,
  name: string,
  { count, first, bytes, limit }: { count: number; first: string; bytes: string; limit: number },
): Promise<Figure[]> {
  const client = createClient(site.url);
  const sockets = await openAll(site, count, first);
  const timer = drip(bytes === "" ? [] : sockets, bytes);
  const probe = await client.ask("/rest/v1/articles?limit=1", { headers: { apikey: site.keys.anonKey } });
  const page = await client.ask("/");
  const held = await memory(site);
  const times = await Promise.all(
    sockets.map(({ closed }) =>
      Promise.race([
        closed,
        new Promise<number>((resolve) =>
          setTimeout(resolve, limit + 8_000, Number.POSITIVE_INFINITY).unref(),
        ),
      ]),
    ),
  );
  clearInterval(timer);
  for (const { socket } of sockets) socket.destroy();
  client.close();
  const failures = sockets.filter((each) => /^HTTP\/1\.1 5/.test(each.answer())).length;
  const open = times.filter((time) => time === Number.POSITIVE_INFINITY).length;
  const slowest = quantile(times, 1);
  return [
    none(
      `${count} ${name}: others are served meanwhile`,
      [probe, page].filter(({ status }) => status !== 200).length,
      "2 not",
    ),
    {
      asked: `${count} ${name}: closed within ${limit / 1000} s (and 3 s to look)`,
      measured: open > 0 ? `${open} still open` : `${(slowest / 1000).toFixed(1)} s`,
      ok: slowest <= limit + 3_000,
    },
    none(`${count} ${name}: 0 5xx`, failures, `${count} (server at ${Math.round(held / MB)} MB)`),
  ];
}

/** Requests that are none, by one seed or another. */
function garbage(seed: number): string {
  const { pick, number, text } = createRandom(seed);
  const methods = [
    "GET",
    "POST",
    "TRACE",
    "CONNECT",
    "TRACK",
    "OPTIONS",
    "PROPFIND",
    "get",
    "G E T",
    "",
    "\u0000",
    "QUERY",
    text(8),
  ];
  const targets = [
    "/",
    "*",
    "//",
    "/%",
    "/%00",
    "/..%2f..%2fetc/passwd",
    "http://evil.example/",
    "http://[",
    "/\\",
    "/articles?q=%ff",
    `/${"a".repeat(number(12_000))}`,
    "/rest/v1/articles",
    "/auth/v1/user",
    "/assets/../../package.json",
    "evil:80",
    text(30),
  ];
  const versions = ["HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", "", "http/1.1"];
  const headers = [
    "Host: 127.0.0.1",
    "Host: ",
    "Host: a b",
    "Host: [",
    "Host: evil.example:99999",
    "Host: 127.0.0.1\r\nHost: two",
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 5\r\nContent-Length: 6",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: chunked, identity",
    "Transfer-Encoding: gzip",
    "Expect: 100-continue",
    "Expect: the impossible",
    "Upgrade: websocket\r\nConnection: Upgrade",
    "Upgrade: h2c\r\nHTTP2-Settings: AAA\r\nConnection: Upgrade, HTTP2-Settings",
    "Content-Encoding: gzip",
    "Range: bytes=0-,0-,0-",
    "If-None-Match: *",
    "Accept-Encoding: br;q=x",
    "Cookie: \u0001",
    ": no name",
    "No colon",
    `X-Long: ${"x".repeat(number(20_000))}`,
    `${text(6)}: ${text(20)}`,
    "Authorization: Bearer x.y.z",
    "apikey: x",
    "X-Request-Id: \t{}",
    "X-Forwarded-For: 1, 2, 3",
    "Connection: close, keep-alive",
  ];
  const bodies = [
    "",
    "",
    "5\r\nhello\r\n0\r\n\r\n",
    "ffffffffffff\r\n",
    "zz\r\n",
    "hello",
    "{",
    "\u001f\u008b\b",
    text(60),
  ];
  if (number(10) === 0) return text(200);
  const lines = Array.from({ length: number(5) }, () => pick(headers));
  const host = number(4) === 0 ? [] : ["Host: 127.0.0.1"];
  return [`${pick(methods)} ${pick(targets)} ${pick(versions)}`, ...host, ...lines, "", pick(bodies)].join(
    "\r\n",
  );
}

async function sendGarbage(site: DrillSite, count: number): Promise<Figure[]> {
  let sent = 0;
  let answered = 0;
  const failures: string[] = [];
  await inParallel(40, async () => {
    const seed = sent++;
    if (seed >= count) return false;
    const bytes = garbage(seed);
    const answer = await exchange(site.port, Buffer.from(bytes, "latin1"), 300);
    if (answer !== "") answered += 1;
    if (/^HTTP\/1\.1 5/m.test(answer))
      failures.push(`${seed}: ${bytes.slice(0, 60)} → ${answer.slice(0, 30)}`);
    return true;
  });
  const alive = site.child().exitCode === null;
  return [
    none(`${count} garbage requests: 0 crashes`, alive ? 0 : 1, `1 (${answered} were answered)`),
    none(`${count} garbage requests: 0 5xx`, failures.length, `${count} ${failures.slice(0, 3).join("; ")}`),
  ];
}

async function pipeline(site: DrillSite, count: number): Promise<Figure> {
  const one = "GET /articles HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br\r\n\r\n";
  const last = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
  const answers = await exchange(site.port, one.repeat(count) + last, 30_000);
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
  const right = statuses.filter((status) => status === "200").length;
  return none(`${count} pipelined requests: each answered in its turn`, count + 1 - right, String(count));
}

async function oversized(site: DrillSite): Promise<Figure[]> {
  const { gzipSync } = await import("node:zlib");
  const client = createClient(site.url);
  const headers = { apikey: site.keys.anonKey, "content-type": "application/json" };
  const bomb = gzipSync(Buffer.alloc(50 * MB, 0x20));
  const large = Buffer.alloc(4 * MB, 0x20);
  const outcomes = await Promise.all([
    client.ask("/", { headers: { "x-large": "x".repeat(64 * 1024) } }),
    ...["/rest/v1/articles", "/auth/v1/token?grant_type=password"].flatMap((path) => [
      client.ask(path, { method: "POST", headers: { ...headers, "content-encoding": "gzip" }, body: bomb }),
      client.ask(path, { method: "POST", headers, body: large }),
      client.ask(path, {
        method: "POST",
        headers: { ...headers, "transfer-encoding": "chunked" },
        body: large,
      }),
    ]),
  ]);
  client.close();
  // A server that closes while the body is still being sent may reset the connection: no answer, no harm.
  const wrong = outcomes.filter(({ status }) => status >= 500 || (status > 0 && status < 400));
  return [
    none(
      "oversized headers, compressed and too large bodies: refused, 0 5xx",
      wrong.length,
      `${outcomes.length}: ${outcomes.map(({ status, failure }) => status || failure).join(" ")}`,
    ),
  ];
}

/** Bodies that end in the middle, because their sender is gone. */
async function breakOff(site: DrillSite, count: number): Promise<void> {
  const starts = ['Content-Length: 100\r\n\r\n{"', 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"aaa\r\n'];
  const paths = ["/rest/v1/articles", "/auth/v1/token?grant_type=password", "/auth/v1/recover"];
  for (let at = 0; at < count; at++) {
    const socket = await openSocket(site.port);
    const head = `POST ${paths[at % 3]} HTTP/1.1\r\nHost: 127.0.0.1\r\napikey: ${site.keys.anonKey}\r\nContent-Type: application/json\r\n`;
    await new Promise((resolve) => socket.write(head + starts[at % 2], resolve));
    // Some leave at once, some when the server has begun to read.
    if (at % 4 < 2)
      await exchange(site.port, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    socket.resetAndDestroy();
  }
}

/** What is done to a server below HTTP, or at its edge. */
export const sockets: Drill = {
  name: "sockets",
  title: "idle sockets, slow headers and bodies, oversized and garbage requests",
  run: (scale) =>
    withSite({}, async (site) => {
      const isLong = scale === "long";
      const figures: Figure[] = [];
      const client = createClient(site.url);
      await client.ask("/articles");
      client.close();
      const before = await memory(site);
      const body = `POST /rest/v1/articles HTTP/1.1\r\nHost: 127.0.0.1\r\napikey: ${site.keys.anonKey}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`;
      const first = "GET / HTTP/1.1\r\nX-Slow: ";
      const slowHeaders = (count: number) =>
        hold(site, "slow headers", { count, first, bytes: "a", limit: 10_000 });
      // Ten seconds of waiting, in which the rest is done.
      const held = isLong ? undefined : slowHeaders(50);
      figures.push(...(await oversized(site)));
      await breakOff(site, isLong ? 600 : 60);
      figures.push(await pipeline(site, isLong ? 2_000 : 300));
      figures.push(...(await sendGarbage(site, isLong ? 10_000 : 600)));
      if (isLong) {
        const count = 2_000;
        figures.push(...(await hold(site, "idle sockets", { count, first: "", bytes: "", limit: 10_000 })));
        figures.push(...(await slowHeaders(count)));
        // Each begins with most of its body, so that all of it could pile up.
        const started = body + " ".repeat(900_000);
        figures.push(
          ...(await hold(site, "slow bodies", { count: 500, first: started, bytes: " ", limit: 30_000 })),
        );
        figures.push(
          ...(await hold(site, "slow bodies without a member", {
            count,
            first: body,
            bytes: " ",
            limit: 30_000,
          })),
        );
      }
      if (held) figures.push(...(await held));
      const failures = site.output().match(/"status":5\d\d/g) ?? [];
      figures.push(none("0 5xx in the log of all this", failures.length, "its requests"));
      const after = await memory(site);
      figures.push({
        asked: `memory bounded (${MOST_MB} MB)`,
        measured: `${Math.round(before / MB)} MB before, ${Math.round(after / MB)} MB after`,
        ok: after < MOST_MB * MB,
      });
      return figures;
    }),
};
