import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { exchange } from "../../tests/drills/client.ts";
import { freePort } from "../../tests/support/free-port.ts";
import { listen } from "./listen.ts";

const FAREWELL_MS = 200;

async function open({ farewellMs = FAREWELL_MS, longestDrainMs = 4_000 } = {}) {
  const port = await freePort();
  const listener = await listen("127.0.0.1", port, farewellMs, longestDrainMs);
  return { listener, port, ask: (path = "/") => fetch(`http://127.0.0.1:${port}${path}`) };
}

test("a visitor during the start is asked to come again", async () => {
  const { listener, ask } = await open();
  onTestFinished(() => listener.close());
  const answer = await ask();
  expect(answer.status).toBe(503);
  expect(answer.headers.get("Retry-After")).toBe("1");
  listener.serve(() => new Response("the site"));
  expect(await (await ask()).text()).toBe("the site");
});

test.each([
  "Host: one.test\r\nhost: two.test",
  "Host: one.test\r\nHost: one.test",
  "Host:\r\nHost: one.test",
])("a request with two hosts is a bad request: %j", async (hosts) => {
  const { listener, port } = await open();
  onTestFinished(() => listener.close());
  listener.serve(() => new Response("the site"));
  for (const target of ["/", "http://one.test/"]) {
    const answer = await exchange(port, `GET ${target} HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  }
});

test("a connection that rests is kept longer than balancers keep it", async () => {
  const { listener, ask } = await open();
  onTestFinished(() => listener.close());
  const told = /timeout=(\d+)/.exec((await ask()).headers.get("Keep-Alive") ?? "");
  expect(Number(told?.[1])).toBeGreaterThan(60);
});

test("a closing server finishes what is under way and lets its clients go", async () => {
  const { listener, port, ask } = await open({ farewellMs: 1_000 });
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
  const answer = await slow;
  expect(answer.headers.get("Connection")).toBe("close");
  expect(await answer.text()).toBe("finished");
  await closed;
  await expect(ask()).rejects.toThrow();
});

test("a server without connections closes without a farewell", async () => {
  const { listener } = await open({ farewellMs: 3_600_000 });
  await listener.close();
}, 10_000);

function work(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

/** Ask from another thread, by a new connection each, until one is refused. Tells the status or the error of each. */
async function visitors(port: number, pauseMs: number): Promise<string[]> {
  const thread = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
    const { get } = require("node:http");
    const asked = [];
    let isOver = false;
    const ask = (resolve) => {
      get({ port: workerData.port, host: "127.0.0.1", agent: false }, (answer) => {
        answer.resume().on("end", () => resolve(String(answer.statusCode)));
      }).on("error", ({ code }) => {
        isOver ||= code === "ECONNREFUSED";
        resolve(code);
      });
    };
    const timer = setInterval(async () => {
      if (!isOver) return void asked.push(new Promise(ask));
      clearInterval(timer);
      parentPort.postMessage(await Promise.all(asked));
    }, workerData.pauseMs);`,
    { eval: true, workerData: { port, pauseMs } },
  );
  onTestFinished(() => void thread.terminate());
  const [outcomes] = await once(thread, "message");
  return outcomes;
}

/** Who asks from another thread, so that the request arrives although this one is busy. */
async function startVisitor(port: number) {
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
  return {
    answer: once(visitor, "message").then(([text]) => String(text)),
    askWhileBusy(until = 0) {
      visitor.postMessage("ask");
      while (Date.now() <= until || Atomics.load(sent, 0) === 0);
    },
  };
}

test("a request that arrives just before a server without connections closes is answered", async () => {
  const { listener, port } = await open();
  listener.serve(() => new Response("answered"));
  const { answer, askWhileBusy } = await startVisitor(port);
  askWhileBusy();
  await listener.close();
  expect(await answer).toContain("answered");
});

test("a request that arrives while the closing server is busy is answered", async () => {
  const { listener, port, ask } = await open();
  listener.serve(() => new Response("answered"));
  // Its connection stays open, so that the server waits.
  await ask();
  const { answer, askWhileBusy } = await startVisitor(port);
  const closed = listener.close();
  const closing = Date.now() + FAREWELL_MS;
  // Timers that are due run next, before the loop looks for what has arrived.
  setImmediate(() => askWhileBusy(closing));
  expect(await answer).toContain("answered");
  await closed;
});

test("more than a closing server can answer is answered or refused, and never cut off", async () => {
  const { listener, port } = await open();
  const begun = new Promise<void>((resolve) => {
    listener.serve(() => {
      resolve();
      work(20);
      return new Response("answered");
    });
  });
  const outcomes = visitors(port, 8);
  await begun;
  await listener.close();
  expect([...new Set(await outcomes)].sort()).toEqual(["200", "ECONNREFUSED"]);
}, 30_000);

test("a server that is never idle closes as well", async () => {
  const { listener } = await open({ longestDrainMs: 500 });
  let isOver = false;
  const goOn = () => {
    work(5);
    if (!isOver) setImmediate(goOn);
  };
  goOn();
  await listener.close();
  isOver = true;
}, 10_000);
