import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { dropBody, readBody } from "./read-body.ts";

/** Returns a request with an endless body. */
function endless(headers: Record<string, string>): Request {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([1])) });
  return new Request("http://a.test", { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

const QUICK = { graceMs: 20, bytesPerSecond: 1_000 };

function chunked(parts: string[]): Request {
  const body = new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  return new Request("http://a.test", { method: "POST", body, duplex: "half" } as RequestInit);
}

test("a chunked body is read whole, unless it is too large", async () => {
  const read = async (parts: string[]) => Buffer.from(await readBody(chunked(parts), 10)).toString();
  expect(await read(["one", "", "two"])).toBe("onetwo");
  expect(await read([])).toBe("");
  await expect(read(["eleven", "bytes"])).rejects.toMatchObject({ name: "BodyTooLargeError", maxBytes: 10 });
});

test.each([{ "content-length": "50" }, {}])(
  "a body that arrives too slowly is cut off: %j",
  async (headers) => {
    const start = performance.now();
    await expect(readBody(endless(headers as Record<string, string>), 50, QUICK)).rejects.toMatchObject({
      name: "BodyTooSlowError",
    });
    // 20 ms, and 50 ms for 50 bytes
    expect(performance.now() - start).toBeGreaterThan(60);
  },
);

test("a large body may take longer than a small one", async () => {
  const isSlow = (size: number) =>
    readBody(endless({ "content-length": String(size) }), 1_000, QUICK).catch(() => size);
  expect(await Promise.race([isSlow(900), isSlow(10)])).toBe(10);
});

test("while a refused body is dropped, other work runs between two of its chunks", async () => {
  let isDropped = false;
  let turns = 0;
  const countTurns = async () => {
    while (!isDropped) {
      await setImmediate();
      turns++;
    }
  };
  const counting = countTurns();
  const body = chunked(Array.from({ length: 32 }, () => "x".repeat(100)));
  await dropBody(body);
  isDropped = true;
  await counting;
  expect(body.bodyUsed).toBe(true);
  expect(turns).toBeGreaterThanOrEqual(32);
});
