import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { exchange } from "../../tests/drills/client.ts";
import { freePort } from "../../tests/support/free-port.ts";
import { FAREWELL_MS, listen } from "./listen.ts";
import { starting } from "./starting.ts";

async function open() {
  const port = await freePort();
  const listener = await listen("127.0.0.1", port, starting({ siteUrl: "http://127.0.0.1" }).fetch);
  return { listener, port, ask: (path = "/") => fetch(`http://127.0.0.1:${port}${path}`) };
}

test("a visitor during the start is asked to come again, under the site's headers", async () => {
  const { listener, ask } = await open();
  onTestFinished(() => listener.close());
  const answer = await ask();
  expect(answer.status).toBe(503);
  expect(answer.headers.get("Retry-After")).toBe("1");
  expect(answer.headers.get("X-Frame-Options")).toBe("DENY");
  listener.serve(() => new Response("the site"));
  expect(await (await ask()).text()).toBe("the site");
});

test("a closing server finishes what is under way and lets its clients go", async () => {
  const { listener, port, ask } = await open();
  let finish: (response: Response) => void = () => undefined;
  listener.serve(({ url }) =>
    url.endsWith("/slow") ? new Promise((resolve) => (finish = resolve)) : new Response("quick"),
  );
  const slow = ask("/slow");
  const idleClosed = exchange(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 60_000);
  await ask();
  const closed = listener.close();
  const late = await exchange(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(late).toContain("quick");
  expect(late.toLowerCase()).toContain("connection: close");
  await idleClosed;
  finish(new Response("finished"));
  expect(await (await slow).text()).toBe("finished");
  await closed;
  await expect(ask()).rejects.toThrow();
});

test("a request that arrives while the closing server is busy is answered", async () => {
  const { listener, port } = await open();
  listener.serve(() => new Response("answered"));
  const sent = new Int32Array(new SharedArrayBuffer(4));
  const visitor = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
    const { connect } = require("node:net");
    let answer = "";
    parentPort.once("message", () => {
      const socket = connect(workerData.port, "127.0.0.1", () => {
        socket.write("GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n");
        Atomics.store(workerData.sent, 0, 1);
      });
      socket.on("data", (bytes) => { answer += bytes; });
      socket.on("error", (error) => { answer += error.code; });
      socket.on("close", () => parentPort.postMessage(answer));
    });`,
    { eval: true, workerData: { port, sent } },
  );
  onTestFinished(() => void visitor.terminate());
  await once(visitor, "online");
  const answer = once(visitor, "message");
  const closed = listener.close();
  const closing = Date.now() + FAREWELL_MS;
  await setTimeout(FAREWELL_MS - 100);
  // Timers that are due run next, before the loop looks for what has arrived.
  setImmediate(() => {
    visitor.postMessage("ask");
    while (Date.now() <= closing || Atomics.load(sent, 0) === 0);
  });
  expect((await answer)[0]).toContain("answered");
  await closed;
});

test("a server that is never idle closes as well", async () => {
  const { listener } = await open();
  let isOver = false;
  const work = () => {
    const until = performance.now() + 5;
    while (performance.now() < until);
    if (!isOver) setImmediate(work);
  };
  work();
  await listener.close();
  isOver = true;
}, 10_000);
