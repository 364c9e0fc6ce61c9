import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { expect, onTestFinished, test, vi } from "vitest";
import { LIMITS } from "../config/limits.ts";
import { createByteBudget } from "./byte-budget.ts";
import { clientKey } from "./client-address.ts";
import { limitConcurrency } from "./limit-concurrency.ts";
import { RetryLaterError } from "./retry-later-error.ts";

const BUDGET = 64 * 1024 * 1024;
const LIMIT = { total: 3, perClient: 2, queue: 4, maxWaitMs: 2_000 };

/**
 * Starts a server with `limitConcurrency`. Requests for `/` run until the test calls `finish`, and requests for
 * `/quick` end immediately. `X-Forwarded-For` contains the client's address.
 */
async function openSite(body = "done") {
  const running: { client: string; finish: () => void }[] = [];
  const app = new Hono();
  app.onError((error, c) => {
    if (!(error instanceof RetryLaterError)) throw error;
    return c.text(error.message, error.status, { "Retry-After": String(error.retryAfterSeconds) });
  });
  let arrived = 0;
  let started = 0;
  app.use((_, next) => {
    arrived++;
    return next();
  });
  const budget = createByteBudget({ total: 3 * BUDGET, perClient: BUDGET });
  app.use(limitConcurrency(LIMIT, clientKey(1), budget));
  app.use((c, next) => {
    started++;
    if (c.req.path === "/early") c.var.releaseSlot?.();
    if (c.req.path === "/complete") c.var.releaseSlot?.(BUDGET);
    return next();
  });
  app.on("GET", ["/quick", "/complete"], (c) => c.text(body));
  app.on("GET", ["/", "/early"], async (c) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    running.push({ client: c.req.header("X-Forwarded-For") ?? "", finish: resolve });
    await promise;
    return c.text(body);
  });
  const server: Server = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const get = (client: string, path = "/", signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { "X-Forwarded-For": client },
      ...(signal && { signal }),
      // Ignore errors: requests that are still waiting fail when the cleanup closes their connections.
    }).catch(() => Response.error());
  return {
    port,
    app,
    get,
    running,
    expectRunning: (...clients: string[]) =>
      expect.poll(() => running.map(({ client }) => client).toSorted()).toEqual(clients.toSorted()),
    expectWaiting: (count: number) => expect.poll(() => arrived - started).toBe(count),
    finish(client: string) {
      const index = running.findIndex((each) => each.client === client);
      running.splice(index, 1)[0]?.finish();
    },
  };
}

/** Stops the clock of timers and of `performance.now` until the test advances it. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

const [ONE, TWO, THREE] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"] as const;

test("one client cannot occupy every slot, so another client is served", async () => {
  const site = await openSite();
  for (let count = 0; count < 4; count++) void site.get(ONE);
  await site.expectRunning(ONE, ONE);
  void site.get(TWO);
  await site.expectRunning(ONE, ONE, TWO);
  site.finish(ONE);
  await site.expectRunning(ONE, ONE, TWO);
});

test("a new client is served before the waiting requests of a client that has used up its slots", async () => {
  const site = await openSite();
  for (let count = 0; count < 4; count++) void site.get(ONE);
  await site.expectRunning(ONE, ONE);
  void site.get(TWO);
  await site.expectRunning(ONE, ONE, TWO);
  void site.get(THREE);
  await nextTurn();
  site.finish(TWO);
  await site.expectRunning(ONE, ONE, THREE);
});

test("a client with too many waiting requests gets 429, and other clients are still served", async () => {
  const site = await openSite();
  const flood = Array.from({ length: 20 }, () => site.get(ONE));
  const rejected = await Promise.race(flood);
  expect(rejected.status).toBe(429);
  expect(rejected.headers.get("Retry-After")).toBe("2");
  void site.get(TWO);
  await site.expectRunning(ONE, ONE, TWO);
});

test("a client gets 503 if too many other clients are waiting", async () => {
  const site = await openSite();
  const responses = Array.from({ length: 20 }, (_, client) => site.get(`192.0.2.${client}`));
  const rejected = await Promise.race(responses);
  expect(rejected.status).toBe(503);
  expect(rejected.headers.get("Retry-After")).toBe("2");
});

test("a request that waits too long for a slot gets 429, and the slots stay usable", async () => {
  stopClock();
  const site = await openSite();
  const first = [site.get(ONE), site.get(ONE)];
  await site.expectRunning(ONE, ONE);
  const third = site.get(ONE);
  await site.expectWaiting(1);
  vi.advanceTimersByTime(LIMIT.maxWaitMs);
  expect((await third).status).toBe(429);
  site.finish(ONE);
  site.finish(ONE);
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await site.get(ONE, "/quick")).status).toBe(200);
});

/** Sends a request, and resolves when the first bytes of the response have arrived. Doesn't read them. */
async function readNothing(port: number, path: string, client: string) {
  const socket = connect(port, "127.0.0.1", () =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`),
  );
  socket.on("error", () => undefined).pause();
  await once(socket, "readable");
  return socket;
}

test("a complete response that its client does not read keeps no slot while there is room for its bytes", async () => {
  stopClock();
  const site = await openSite("x".repeat(BUDGET));
  const readers = [await readNothing(site.port, "/complete", ONE)];
  // The second and the third don't fit into the client's share, so they keep their slots.
  readers.push(
    await readNothing(site.port, "/complete", ONE),
    await readNothing(site.port, "/complete", ONE),
  );
  const fourth = site.get(ONE, "/quick");
  await site.expectWaiting(1);
  vi.advanceTimersByTime(LIMIT.maxWaitMs);
  expect((await fourth).status).toBe(429);
  for (const socket of readers) socket.destroy();
  const next = await site.get(ONE, "/quick");
  expect(next.status).toBe(200);
  // Nothing reads the rest of this response, which would keep its connection open.
  await next.body?.cancel();
});

test("a response keeps its slot while the client does not read it", async () => {
  stopClock();
  const site = await openSite("x".repeat(BUDGET));
  const readers = await Promise.all([ONE, ONE].map((client) => readNothing(site.port, "/quick", client)));
  const third = site.get(ONE, "/quick");
  await site.expectWaiting(1);
  vi.advanceTimersByTime(LIMIT.maxWaitMs);
  expect((await third).status).toBe(429);
  for (const socket of readers) socket.destroy();
  const next = await site.get(ONE, "/quick");
  expect(next.status).toBe(200);
  // Nothing reads the rest of this response, which would keep its connection open.
  await next.body?.cancel();
});

test("a request takes no slot if its client disconnects while it is waiting", async () => {
  const site = await openSite();
  const first = [site.get(ONE), site.get(ONE)];
  await site.expectRunning(ONE, ONE);
  const abort = new AbortController();
  const gone = site.get(ONE, "/", abort.signal).catch(() => undefined);
  await nextTurn();
  abort.abort();
  await gone;
  // Give the server time to notice that the client has disconnected.
  await sleep(200);
  site.finish(ONE);
  site.finish(ONE);
  await Promise.all(first);
  await site.expectRunning();
  void site.get(ONE);
  void site.get(ONE);
  await site.expectRunning(ONE, ONE);
});

test("in-process requests are not limited", async () => {
  const { app } = await openSite();
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => app.request("/quick", undefined, { inProcess: true })),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
});

test("after its requests have timed out in the shared queue, a client gets 503 again, not 429", async () => {
  stopClock();
  const site = await openSite();
  for (const client of ["192.0.2.4", "192.0.2.5", "192.0.2.6"]) void site.get(client);
  await site.expectRunning("192.0.2.4", "192.0.2.5", "192.0.2.6");
  const first = [site.get(ONE), site.get(ONE)];
  await site.expectWaiting(2);
  vi.advanceTimersByTime(LIMIT.maxWaitMs);
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([503, 503]);
  const third = site.get(ONE);
  await site.expectWaiting(3);
  vi.advanceTimersByTime(LIMIT.maxWaitMs);
  const next = await third;
  expect([next.status, await next.text()]).toEqual([503, "Too many requests at the moment"]);
});

test("after a request of two seconds, a client queues after clients that arrive later", async () => {
  stopClock();
  const site = await openSite();
  void site.get(ONE);
  await site.expectRunning(ONE);
  vi.advanceTimersByTime(LIMITS.slowRequest.ms);
  site.finish(ONE);
  await site.expectRunning();
  const [FOUR, FIVE, SIX] = ["192.0.2.4", "192.0.2.5", "192.0.2.6"] as const;
  for (const client of [FOUR, FIVE, SIX]) void site.get(client);
  await site.expectRunning(FOUR, FIVE, SIX);
  const slow = site.get(ONE);
  await site.expectWaiting(1);
  void site.get(TWO);
  await site.expectWaiting(2);
  site.finish(FOUR);
  await site.expectRunning(FIVE, SIX, TWO);
  site.finish(FIVE);
  await site.expectRunning(SIX, TWO, ONE);
  site.finish(ONE);
  expect((await slow).status).toBe(200);
});

test("a request that gives up its slot early frees it for the next one while its response is being sent", async () => {
  const site = await openSite();
  const first = [site.get(ONE, "/early"), site.get(ONE, "/early")];
  await site.expectRunning(ONE, ONE);
  void site.get(ONE, "/");
  await site.expectRunning(ONE, ONE, ONE);
  for (let count = 0; count < 3; count++) site.finish(ONE);
  await Promise.all(first);
});
