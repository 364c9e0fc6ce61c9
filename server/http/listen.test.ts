import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { exchange } from "../../tests/drills/client.ts";
import { freePort } from "../../tests/support/free-port.ts";
import { listen, watchResponses } from "./listen.ts";

async function startListener() {
  const port = await freePort();
  const listener = await listen("127.0.0.1", port);
  return { listener, port, get: (path = "/") => fetch(`http://127.0.0.1:${port}${path}`) };
}

test("a request during startup gets 503 with Retry-After", async () => {
  const { listener, get } = await startListener();
  onTestFinished(() => listener.close());
  const response = await get();
  expect(response.status).toBe(503);
  expect(response.headers.get("Retry-After")).toBe("1");
  listener.serve(() => new Response("the site"));
  expect(await (await get()).text()).toBe("the site");
});

test("the Keep-Alive header announces that a connection at rest stays open longer than the two minutes for which Caddy would reuse it", async () => {
  const { listener, port } = await startListener();
  onTestFinished(() => listener.close());
  // In tests, `fetch` closes its connections.
  const outgoing = request({ port, host: "127.0.0.1", headers: { Connection: "keep-alive" } }).end();
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  outgoing.destroy();
  const [, seconds] = /^timeout=(\d+)$/.exec(String(incoming.headers["keep-alive"])) ?? [];
  expect(Number(seconds)).toBeGreaterThan(120);
});

test.each([
  "Host: one.test\r\nhost: two.test",
  "Host: one.test\r\nHost: one.test",
  "Host:\r\nHost: one.test",
])("a request with two Host headers gets 400: %j", async (hosts) => {
  const { listener, port } = await startListener();
  onTestFinished(() => listener.close());
  listener.serve(() => new Response("the site"));
  for (const target of ["/", "http://one.test/"]) {
    const response = await exchange(port, `GET ${target} HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test("a closing server closes idle connections, finishes open requests and accepts no new connections", async () => {
  const { listener, port, get } = await startListener();
  let finish: (response: Response) => void = () => undefined;
  listener.serve(({ url }) =>
    url.endsWith("/slow") ? new Promise((resolve) => (finish = resolve)) : new Response("quick"),
  );
  const slow = get("/slow");
  const idleClosed = exchange(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 60_000);
  await get();
  const closed = listener.close();
  await idleClosed;
  await expect(get()).rejects.toThrow();
  finish(new Response("finished"));
  const response = await slow;
  expect(response.headers.get("Connection")).toBe("close");
  expect(await response.text()).toBe("finished");
  await closed;
});

test("one address can open at most a quarter of the allowed connections, and other addresses are still served", async () => {
  const { listener, port, get } = await startListener();
  onTestFinished(() => listener.close());
  listener.serve(() => new Response("served"));
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  const requestFromOtherAddress = async () => {
    const other = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.9" });
    onTestFinished(() => void other.destroy());
    other.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    const [bytes] = await once(other, "data");
    return String(bytes);
  };
  // The server's accept queue holds 511 connections, and any others would be retried only after a second or more. The
  // response to a later connection shows that the server has accepted the whole batch.
  for (let batch = 0; batch < 3; batch++) {
    const opened = Array.from({ length: 460 }, () =>
      connect(port, "127.0.0.1")
        .on("error", () => undefined)
        .resume(),
    );
    await Promise.all(opened.map((socket) => once(socket, "connect")));
    sockets.push(...opened);
    expect(await requestFromOtherAddress()).toContain("served");
  }
  const isOpen = (socket: Socket) => !socket.destroyed && socket.readyState === "open";
  await expect.poll(() => sockets.filter(isOpen).length).toBe(1_250);
  await expect(get()).rejects.toThrow();
  for (const socket of sockets.splice(0)) socket.destroy();
  await expect
    .poll(() =>
      get().then(
        (response) => response.status,
        () => 0,
      ),
    )
    .toBe(200);
});

test("a connection has ten seconds to make progress", async () => {
  const { listener, get } = await startListener();
  onTestFinished(() => listener.close());
  listener.serve((_, { incoming }) => new Response(String(incoming.socket.timeout)));
  expect(await (await get()).text()).toBe("10000");
});

describe("slow clients and slow responses", () => {
  const TIMEOUT_MS = 300;

  /** Shortens the connection's timeout of ten seconds, which the test above checks. */
  const shortenTimeout = ({ incoming }: HttpBindings) => incoming.socket.setTimeout(TIMEOUT_MS);

  test("a connection is closed if the request body makes no progress before the timeout", async () => {
    const { listener, port } = await startListener();
    onTestFinished(() => listener.close());
    listener.serve(async (request, bindings) => {
      shortenTimeout(bindings);
      return new Response(await request.text());
    });
    const start = performance.now();
    const bytes = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("error", () => undefined).resume();
    await once(socket, "close");
    const ms = performance.now() - start;
    expect(ms).toBeGreaterThan(TIMEOUT_MS * 0.9);
    expect(ms).toBeLessThan(5_000);
  });

  test("a connection is closed if the client reads nothing of the response before the timeout", async () => {
    const { listener, port } = await startListener();
    onTestFinished(() => listener.close());
    const sent = Promise.withResolvers<number>();
    const start = performance.now();
    listener.serve((_, bindings) => {
      shortenTimeout(bindings);
      bindings.outgoing.once("close", () => sent.resolve(performance.now() - start));
      return new Response("x".repeat(64 * 1024 * 1024));
    });
    const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined).pause();
    const ms = await sent.promise;
    expect(ms).toBeGreaterThan(TIMEOUT_MS * 0.9);
    // The operating system buffers the first part of the response. Node counts that as progress, which can delay the end
    // by another timeout.
    expect(ms).toBeLessThan(5_000);
  });

  test("a request that the server works on for longer than the timeout gets its response", async () => {
    const { listener, get } = await startListener();
    onTestFinished(() => listener.close());
    listener.serve(async (_, bindings) => {
      shortenTimeout(bindings);
      await once(bindings.incoming.socket, "timeout");
      return new Response("an email was sent");
    });
    expect(await (await get()).text()).toBe("an email was sent");
  });
});

const CHUNK = 16_384;

/**
 * Requests a large response from a server that requires 1 MB per second over half a second. Reads a chunk every
 * `pauseMs`, and resolves to true if the server cuts the response off, and to false once 40 MB have arrived.
 */
async function isCutOff(pauseMs: number): Promise<boolean> {
  const { watch, check } = watchResponses(500, 1_000_000);
  const server = createServer((incoming, outgoing) => {
    watch({ incoming, outgoing });
    outgoing.end(Buffer.alloc(40_000_000));
  }).listen(0, "127.0.0.1");
  const checks = setInterval(check, 100);
  onTestFinished(() => {
    clearInterval(checks);
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let isClosed = false;
  socket.on("error", () => undefined).once("close", () => (isClosed = true));
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  for (let read = 0; read < 40_000_000 && !isClosed; ) {
    if (pauseMs > 0) await sleep(pauseMs);
    read += socket.read(CHUNK)?.length ?? socket.read()?.length ?? 0;
    await new Promise((resolve) => setImmediate(resolve));
    if (!server.listening) break;
    const connections = await new Promise<number>((resolve) =>
      server.getConnections((_, count) => resolve(count)),
    );
    if (connections === 0) return read < 40_000_000;
  }
  return isClosed;
}

test("the server cuts off a response to a client that reads slowly but steadily", async () => {
  expect(await isCutOff(100)).toBe(true);
});

test("the server sends the whole response to a client that reads fast enough", async () => {
  expect(await isCutOff(0)).toBe(false);
});
