// Tests the pipeline's order of steps, with clients that send slowly, disconnect or send too much.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { expect, onTestFinished, test, vi } from "vitest";
import { LIMITS } from "../config/limits.ts";
import { limitConcurrency } from "../http/limit-concurrency.ts";
import { createLog } from "../http/log.ts";
import type { AuthContext, Database } from "../postgres/database.ts";
import { SessionEndedError } from "../postgres/database.ts";
import { createTokens } from "./access-token.ts";
import { handleErrors } from "./api-errors.ts";
import { type ApiEnv, createPipeline } from "./pipeline.ts";

const MB = 1024 * 1024;
const MAX_BYTES = 2 * MB;

/**
 * Starts a server with one route. The header `X-Caller` names the caller: a member, or a visitor if there is none. The
 * session of the member `ended` has ended.
 */
async function openSite() {
  const lines: string[] = [];
  const statuses: number[] = [];
  const log = createLog((line) => void lines.push(line));
  const { protect, addressOf } = createPipeline({
    database: {} as unknown as Database,
    tokens: createTokens("x"),
    log,
    trustedProxies: 1,
  });
  const handled = vi.fn<(bytes: Uint8Array) => void>();
  const authorize = vi.fn(async (c: Context<ApiEnv>) => {
    if (c.var.caller.claims?.["sub"] === "ended") throw new SessionEndedError();
  });
  const running: PromiseWithResolvers<void>[] = [];
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    await next();
    statuses.push(c.res.status);
  });
  app.onError(
    handleErrors({
      log,
      event: "failed",
      format: (error) => new Response(error.name, { status: "status" in error ? Number(error.status) : 500 }),
    }),
  );
  const limiter = limitConcurrency<ApiEnv>(LIMITS.concurrency.memberData, addressOf);
  const identify = ({ req }: { req: { header(name: string): string | undefined } }): AuthContext => {
    const sub = req.header("x-caller");
    return sub === undefined ? { role: "anon" } : { role: "authenticated", claims: { sub } };
  };
  app.post("/", protect({ identify, authorize, body: { maxBytes: MAX_BYTES }, limiter }), async (c) => {
    handled(c.var.bytes);
    if (c.req.query("wait") === undefined) return c.text("done");
    const turn = Promise.withResolvers<void>();
    running.push(turn);
    await turn.promise;
    return c.text("done");
  });
  const server: Server = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const turn of running) turn.resolve();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  return {
    lines,
    statuses,
    handled,
    authorize,
    running,
    post: (body: BodyInit, headers: Record<string, string> = {}, path = "/") =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        body,
        headers: { "X-Forwarded-For": "192.0.2.9", ...headers },
        duplex: "half",
      } as RequestInit),
    /** Sends the head of a request and the first bytes of its body. */
    begin(length: number | "chunked", headers: string, first = "x"): Socket {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => undefined).resume();
      const size = length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${size}\r\n${headers}\r\n\r\n${first}`);
      onTestFinished(() => void socket.destroy());
      return socket;
    },
  };
}

const responseTo = async (socket: Socket) => String((await once(socket, "data"))[0]);

test("requests with unfinished bodies hold no slot, so their client's next request is served", async () => {
  const site = await openSite();
  for (let count = 0; count < 20; count++) {
    await once(site.begin(1_000, "X-Forwarded-For: 192.0.2.1\r\nX-Caller: eve"), "connect");
  }
  const response = await site.post("body", { "X-Forwarded-For": "192.0.2.1", "X-Caller": "eve" });
  expect([response.status, await response.text()]).toEqual([200, "done"]);
  expect(site.handled).toHaveBeenCalledOnce();
});

test("the handler gets a body of known length and a chunked body whole", async () => {
  const site = await openSite();
  await site.post("known", { "X-Caller": "ada" });
  const chunks = new ReadableStream({
    start(controller) {
      for (const part of ["chun", "ked"]) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  await site.post(chunks, { "X-Caller": "ada" });
  expect(site.handled.mock.calls.map(([bytes]) => new TextDecoder().decode(bytes))).toEqual([
    "known",
    "chunked",
  ]);
});

test("a client with bodies above its share gets 429 before the server reads them, and other clients are served", async () => {
  const site = await openSite();
  const share = Math.floor(LIMITS.bodies.members.perClient / MAX_BYTES);
  for (let count = 0; count < share; count++) {
    await once(site.begin(MAX_BYTES, `X-Forwarded-For: 192.0.2.${count}\r\nX-Caller: eve`), "connect");
  }
  const rejected = site.begin(MAX_BYTES, "X-Forwarded-For: 192.0.2.200\r\nX-Caller: eve");
  expect(await responseTo(rejected)).toMatch(/^HTTP\/1\.1 429 /);
  expect((await site.post("body", { "X-Caller": "ada" })).status).toBe(200);
});

test("the bytes of a body count towards its client's share until the response", async () => {
  const site = await openSite();
  const large = new Uint8Array(MAX_BYTES);
  const share = Math.floor(LIMITS.bodies.members.perClient / MAX_BYTES);
  for (let round = 0; round < 3 * share; round++) {
    expect((await site.post(large, { "X-Caller": "ada" })).status).toBe(200);
  }
});

test("two visitors together cannot use up the memory for visitors' bodies", () => {
  const { visitors, members } = LIMITS.bodies;
  expect(2 * visitors.perClient).toBeLessThan(visitors.total);
  expect(4 * members.perClient).toBeLessThan(members.total);
  expect(visitors.perClient).toBeLessThan(members.perClient);
});

test("what only the database knows about a caller is checked in a slot, before the handler", async () => {
  const site = await openSite();
  expect(await (await site.post("body", { "X-Caller": "ended" })).text()).toBe("SessionEndedError");
  expect(site.handled).not.toHaveBeenCalled();
  const { perClient } = LIMITS.concurrency.memberData;
  const requests = Array.from({ length: 20 }, () => site.post("body", { "X-Caller": "eve" }, "/?wait"));
  await expect.poll(() => site.running.length).toBe(perClient);
  // Another client's request is served, so the server has also received the requests that wait for a slot.
  await site.post("body", { "X-Caller": "ada", "X-Forwarded-For": "192.0.2.1" });
  expect(site.authorize).toHaveBeenCalledTimes(1 + perClient + 1);
  await expect
    .poll(() => {
      for (const turn of site.running) turn.resolve();
      return site.handled.mock.calls.length;
    })
    .toBe(21);
  await Promise.all(requests);
});

test("the server rejects a body that is too large before it arrives", async () => {
  const site = await openSite();
  expect(await responseTo(site.begin(MAX_BYTES + 1, "X-Caller: ada"))).toContain("BodyTooLargeError");
  expect(site.handled).not.toHaveBeenCalled();
});

test("the server responds to a refused body of 8 MB once it has arrived, so that a sending client sees why", async () => {
  const site = await openSite();
  const size = 8 * MB;
  const socket = site.begin(size, "X-Caller: ada\r\nConnection: close", "");
  const events: string[] = [];
  socket.on("data", (data) => void events.push(String(data)));
  socket.write(Buffer.alloc(size), () => void events.push("sent"));
  await once(socket, "close");
  expect(events).toEqual(["sent", expect.stringContaining("BodyTooLargeError")]);
});

test("the server responds to a chunked body of 8 MB once it has arrived, so that a sending client sees that it is too large", async () => {
  const site = await openSite();
  const size = 8 * MB;
  const socket = site.begin("chunked", "X-Caller: ada\r\nConnection: close", "");
  const events: string[] = [];
  socket.on("data", (data) => void events.push(String(data)));
  const body = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n0\r\n\r\n`;
  socket.write(body, () => void events.push("sent"));
  await once(socket, "close");
  expect(events).toEqual(["sent", expect.stringContaining("BodyTooLargeError")]);
  expect(site.handled).not.toHaveBeenCalled();
});

test("a client that stops in the middle of a chunked body that is too large gets its response", async () => {
  const site = await openSite();
  const size = 3 * MB;
  const socket = site.begin("chunked", "X-Caller: ada", `${size.toString(16)}\r\n${"x".repeat(size - 1)}`);
  expect(await responseTo(socket)).toContain("BodyTooLargeError");
});

test("a client that disconnects while it sends a body is not a failure", async () => {
  const site = await openSite();
  const socket = site.begin(1_000, "X-Caller: ada");
  await once(socket, "connect");
  // Wait for a later request, so that the server has received the first one.
  await site.post("body", { "X-Caller": "grace" });
  socket.resetAndDestroy();
  await expect.poll(() => site.statuses).toEqual([200, 499]);
  expect(site.lines).toEqual([]);
});

test("a client that closes its connection after half a body is not a failure", async () => {
  const site = await openSite();
  const socket = site.begin(1_000, "X-Caller: ada");
  await once(socket, "connect");
  await site.post("body", { "X-Caller": "grace" });
  socket.end();
  await expect.poll(() => site.statuses).toEqual([200, 499]);
  expect(site.lines).toEqual([]);
});
