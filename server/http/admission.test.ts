import { Hono } from "hono";
import { expect, test } from "vitest";
import { account, admission, diskSpace, statement, upload } from "./admission.ts";
import { AdmissionError } from "./admission-error.ts";
import { createLog } from "./log.ts";

const MB = 1024 * 1024;

interface World {
  isDiskFull?: boolean;
  trustedProxies?: number;
}

/** A site whose statements last until `finish`. */
function open({ isDiskFull = false, trustedProxies = 0 }: World = {}) {
  const lines: Record<string, unknown>[] = [];
  const waiting: (() => void)[] = [];
  const app = new Hono();
  app.onError((error, context) => {
    if (!(error instanceof AdmissionError)) throw error;
    return context.json({ message: error.message, retryAfterSeconds: error.retryAfterSeconds }, error.status);
  });
  const log = createLog((line) => lines.push(JSON.parse(line)));
  app.use(admission({ trustedProxies, isDiskFull: () => isDiskFull, log }));
  app.use(diskSpace);
  app.get("/rest/v1/slow", statement, async (context) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return context.text("done");
  });
  app.post("/auth/v1/token", account, async (context) => {
    if (context.req.query("slow")) await new Promise<void>((resolve) => waiting.push(resolve));
    return context.text("signed in");
  });
  const tooLarge = () => new Response(null, { status: 413 });
  app.post("/rest/v1/articles", upload(MB, tooLarge), async (context) => {
    return context.text(String((await context.req.arrayBuffer()).byteLength));
  });
  app.all("*", (context) => context.text("page"));
  const ask = async (path: string, init?: RequestInit, remoteAddress = "192.0.2.1") =>
    app.request(path, init, { incoming: { socket: { remoteAddress } } });
  const finish = async () => {
    await new Promise(setImmediate);
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { ask, finish, lines };
}

/** A body that never ends. */
function endless(first: number): RequestInit {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(first)) });
  return { method: "POST", body, duplex: "half" } as RequestInit;
}

test("a flood of statements from one address is refused with 429, another address is served", async () => {
  const { ask, finish } = open();
  const flood = Array.from({ length: 100 }, () => ask("/rest/v1/slow"));
  const refused = await Promise.race(flood);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toEqual({
    message: "Too many requests from this address",
    retryAfterSeconds: 2,
  });
  const other = ask("/rest/v1/slow", {}, "192.0.2.2");
  await finish();
  expect((await other).status).toBe(200);
});

test("statements take no place from a sign-in of the same address", async () => {
  const { ask, finish } = open();
  for (let at = 0; at < 100; at++) void ask("/rest/v1/slow");
  expect((await ask("/auth/v1/token", { method: "POST" })).status).toBe(200);
  await finish();
});

test("an IPv6 customer's addresses count as one", async () => {
  const { ask } = open();
  const flood = Array.from({ length: 100 }, (_, at) =>
    ask("/rest/v1/slow", {}, `2001:db8::${at.toString(16)}`),
  );
  expect((await Promise.race(flood)).status).toBe(429);
});

test("behind a trusted proxy each visitor has their own share", async () => {
  const { ask, lines } = open({ trustedProxies: 1 });
  const from = (address: string) => ({ headers: { "X-Forwarded-For": address } });
  const flood = Array.from({ length: 100 }, () => ask("/rest/v1/slow", from("198.51.100.1")));
  expect((await Promise.race(flood)).status).toBe(429);
  expect((await ask("/", from("198.51.100.2"))).status).toBe(200);
  expect(lines).toEqual([]);
});

test("a proxy that is not trusted is reported once", async () => {
  const { ask, lines } = open();
  for (let at = 0; at < 3; at++) await ask("/", { headers: { "X-Forwarded-For": "198.51.100.1" } });
  expect(lines).toEqual([expect.objectContaining({ level: "warn", event: "proxy.untrusted" })]);
});

test("a full disk refuses writes, and reads go on", async () => {
  const { ask } = open({ isDiskFull: true });
  expect((await ask("/rest/v1/articles", { method: "POST" })).status).toBe(507);
  expect((await ask("/rest/v1/articles")).status).toBe(200);
});

test("idle uploads, announced ones too, take nothing from another member's save", async () => {
  const { ask } = open();
  for (let at = 0; at < 100; at++) void ask("/rest/v1/articles", endless(1));
  const save = { method: "POST", body: new Uint8Array(MB) };
  const saved = await ask("/rest/v1/articles", save, "192.0.2.2");
  expect(await saved.text()).toBe(String(MB));
  // The idle ones hold a byte each.
  expect((await ask("/rest/v1/articles", save)).status).toBe(200);
});

test("large bodies share a fixed memory, of which one address gets a part", async () => {
  const { ask } = open();
  for (let at = 0; at < 8; at++) void ask("/rest/v1/articles", endless(MB - 1));
  await new Promise(setImmediate);
  const save = { method: "POST", body: new Uint8Array(MB) };
  expect((await ask("/rest/v1/articles", save)).status).toBe(429);
  expect((await ask("/rest/v1/articles", save, "192.0.2.2")).status).toBe(200);
  expect((await ask("/rest/v1/articles", { method: "POST", body: "small" })).status).toBe(200);
});

test("the memory of a body is free again once its request is answered", async () => {
  const { ask } = open();
  const save = { method: "POST", body: new Uint8Array(MB) };
  for (let at = 0; at < 20; at++) expect((await ask("/rest/v1/articles", save)).status).toBe(200);
});

test("a body is refused as too large by what it announces or by what arrives", async () => {
  const { ask } = open();
  const announced = { method: "POST", headers: { "Content-Length": String(MB + 1) }, body: "x" };
  expect((await ask("/rest/v1/articles", announced)).status).toBe(413);
  expect((await ask("/rest/v1/articles", endless(MB + 1))).status).toBe(413);
});

test("a body that breaks off is a bad request", async () => {
  const { ask } = open();
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  const broken = { method: "POST", body, duplex: "half" } as RequestInit;
  expect((await ask("/rest/v1/articles", broken)).status).toBe(400);
});
