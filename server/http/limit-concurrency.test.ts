import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { AdmissionError } from "./admission-error.ts";
import { clientKey } from "./client-address.ts";
import { limitConcurrency } from "./limit-concurrency.ts";

const LIMIT = { total: 3, perClient: 2, queue: 4 };

/** A site whose requests run until `finish` is called. The client's address is in `X-Forwarded-For`. */
async function openSite(body = "done") {
  const running: { client: string; finish: () => void }[] = [];
  const app = new Hono();
  app.onError((error, c) => {
    if (!(error instanceof AdmissionError)) throw error;
    return c.text(error.message, error.status, { "Retry-After": String(error.retryAfterSeconds) });
  });
  app.use(limitConcurrency(LIMIT, clientKey(1)));
  app.get("/quick", (c) => c.text(body));
  app.get("/", async (c) => {
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
      // The test's cleanup closes the connections of waiting requests.
    }).catch(() => Response.error());
  return {
    port,
    app,
    get,
    running,
    runs: (...clients: string[]) =>
      expect.poll(() => running.map(({ client }) => client).toSorted()).toEqual(clients.toSorted()),
    finish(client: string) {
      const index = running.findIndex((each) => each.client === client);
      running.splice(index, 1)[0]?.finish();
    },
  };
}

const [ONE, TWO, THREE] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"] as const;

test("one client gets its share, and others get the rest", async () => {
  const site = await openSite();
  for (let count = 0; count < 4; count++) void site.get(ONE);
  await site.runs(ONE, ONE);
  void site.get(TWO);
  await site.runs(ONE, ONE, TWO);
  site.finish(ONE);
  await site.runs(ONE, ONE, TWO);
});

test("a client that waits for others is served before the later requests of a busy client", async () => {
  const site = await openSite();
  for (let count = 0; count < 4; count++) void site.get(ONE);
  await site.runs(ONE, ONE);
  void site.get(TWO);
  await site.runs(ONE, ONE, TWO);
  void site.get(THREE);
  await nextTurn();
  site.finish(TWO);
  await site.runs(ONE, ONE, THREE);
});

test("a client with too many waiting requests gets 429, and others are still served", async () => {
  const site = await openSite();
  const flood = Array.from({ length: 20 }, () => site.get(ONE));
  const rejected = await Promise.race(flood);
  expect(rejected.status).toBe(429);
  expect(rejected.headers.get("Retry-After")).toBe("2");
  void site.get(TWO);
  await site.runs(ONE, ONE, TWO);
});

test("too many waiting clients get 503", async () => {
  const site = await openSite();
  const responses = Array.from({ length: 20 }, (_, client) => site.get(`192.0.2.${client}`));
  const rejected = await Promise.race(responses);
  expect(rejected.status).toBe(503);
  expect(rejected.headers.get("Retry-After")).toBe("2");
});

test("a request that waits for two seconds is rejected", async () => {
  const site = await openSite();
  const first = [site.get(ONE), site.get(ONE)];
  await site.runs(ONE, ONE);
  expect((await site.get(ONE)).status).toBe(429);
  site.finish(ONE);
  site.finish(ONE);
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
  expect((await site.get(ONE, "/quick")).status).toBe(200);
});

test("a response that its client does not read keeps its slot", async () => {
  const site = await openSite("x".repeat(64 * 1024 * 1024));
  const readers = [ONE, ONE].map((client) => {
    const socket = connect(site.port, "127.0.0.1", () =>
      socket.write(`GET /quick HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`),
    );
    socket.on("error", () => undefined).pause();
    return socket;
  });
  await Promise.all(readers.map((socket) => once(socket, "readable")));
  expect((await site.get(ONE, "/quick")).status).toBe(429);
  for (const socket of readers) socket.destroy();
  expect((await site.get(ONE, "/quick")).status).toBe(200);
}, 20_000);

test("a client that hangs up while it waits takes no slot", async () => {
  const site = await openSite();
  const first = [site.get(ONE), site.get(ONE)];
  await site.runs(ONE, ONE);
  const abort = new AbortController();
  const gone = site.get(ONE, "/", abort.signal).catch(() => undefined);
  await nextTurn();
  abort.abort();
  await gone;
  // The server notices the closed connection a moment later.
  await sleep(200);
  site.finish(ONE);
  site.finish(ONE);
  await Promise.all(first);
  await site.runs();
  void site.get(ONE);
  void site.get(ONE);
  await site.runs(ONE, ONE);
});

test("requests within the process are not limited", async () => {
  const { app } = await openSite();
  const responses = await Promise.all(Array.from({ length: 50 }, () => app.request("/quick")));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
});
