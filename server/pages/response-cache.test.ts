import { gunzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type MadeAnswer, ResponseCache } from "./response-cache.ts";

const page = (text: string, change: Partial<MadeAnswer> = {}): MadeAnswer => ({
  status: 200,
  headers: { "content-type": "text/html" },
  body: Buffer.from(text),
  isFinal: true,
  ...change,
});

async function text(cached: ReturnType<ResponseCache["get"]>): Promise<string> {
  return String((await (await cached).encode("identity")).body);
}

describe("a page cache", () => {
  test("renders a page once for all that wait for it", async () => {
    const cache = new ResponseCache();
    let renderings = 0;
    const render = async () => {
      renderings++;
      return page("one");
    };
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.get("/", render)));
    expect(renderings).toBe(1);
    expect(new Set(answers).size).toBe(1);
    expect(await text(cache.get("/", render))).toBe("one");
    expect(renderings).toBe(1);
  });

  test("keeps pages of different addresses apart", async () => {
    const cache = new ResponseCache();
    await cache.get("/a", async () => page("a"));
    await cache.get("/b", async () => page("b"));
    expect(await text(cache.get("/a", async () => page("other")))).toBe("a");
    expect(await text(cache.get("/b", async () => page("other")))).toBe("b");
  });

  test("renders anew after a write", async () => {
    const cache = new ResponseCache();
    await cache.get("/", async () => page("old"));
    cache.clear();
    expect(await text(cache.get("/", async () => page("new")))).toBe("new");
  });

  test("gives what was asked for before a write to nobody who asks after it", async () => {
    const cache = new ResponseCache();
    let finishOld: (page: MadeAnswer) => void = () => undefined;
    const early = cache.get("/", () => new Promise((resolve) => (finishOld = resolve)));
    cache.clear();
    const late = cache.get("/", async () => page("new"));
    finishOld(page("old"));
    expect(await text(early)).toBe("old");
    expect(await text(late)).toBe("new");
    expect(await text(cache.get("/", async () => page("newer")))).toBe("new");
  });

  test("does not keep what a write overtook, even if nobody asked meanwhile", async () => {
    const cache = new ResponseCache();
    let finishOld: (page: MadeAnswer) => void = () => undefined;
    const early = cache.get("/", () => new Promise((resolve) => (finishOld = resolve)));
    cache.clear();
    finishOld(page("old"));
    await early;
    expect(await text(cache.get("/", async () => page("new")))).toBe("new");
  });

  test("does not keep a page that lacks what could not be read", async () => {
    const cache = new ResponseCache();
    const broken = await cache.get("/", async () => page("half", { status: 503 }));
    expect(broken.status).toBe(503);
    expect(await text(cache.get("/", async () => page("whole")))).toBe("whole");
  });

  test("does not keep a page whose texts are still being rendered", async () => {
    const cache = new ResponseCache();
    expect(await text(cache.get("/", async () => page("plain", { isFinal: false })))).toBe("plain");
    expect(await text(cache.get("/", async () => page("rendered")))).toBe("rendered");
  });

  test("tells everyone who waits of a failure, and tries again for the next", async () => {
    const cache = new ResponseCache();
    const render = () => Promise.reject(new Error("no"));
    const waiting = [cache.get("/", render), cache.get("/", render)];
    for (const one of waiting) await expect(one).rejects.toThrow("no");
    expect(await text(cache.get("/", async () => page("again")))).toBe("again");
  });

  test("compresses a page once per encoding", async () => {
    const cached = await new ResponseCache().get("/", async () => page("<p>x</p>".repeat(100)));
    expect(cached.encode("gzip")).toBe(cached.encode("gzip"));
    expect(String(gunzipSync((await cached.encode("gzip")).body))).toBe("<p>x</p>".repeat(100));
  });

  test("leaves pictures as they are", async () => {
    const headers = { "content-type": "image/png" };
    const cached = await new ResponseCache().get("/", async () => page("png".repeat(100), { headers }));
    const encoded = await cached.encode("br");
    expect(encoded.headers).not.toHaveProperty("content-encoding");
    expect(String(encoded.body)).toBe("png".repeat(100));
  });

  test("tags a page by its content", async () => {
    const cache = new ResponseCache();
    const one = await cache.get("/1", async () => page("same"));
    const two = await cache.get("/2", async () => page("same"));
    const other = await cache.get("/3", async () => page("other"));
    expect(one.etag).toMatch(/^W\/"[\w-]{20,}"$/);
    expect(two.etag).toBe(one.etag);
    expect(other.etag).not.toBe(one.etag);
  });

  test("holds a bounded number of bytes", async () => {
    const cache = new ResponseCache();
    const big = "x".repeat(1024 * 1024);
    let renderings = 0;
    const visit = (address: number) =>
      cache.get(String(address), async () => {
        renderings++;
        return page(big);
      });
    for (let address = 0; address < 100; address++) await visit(address);
    await visit(99);
    expect(renderings).toBe(100);
    await visit(0);
    expect(renderings).toBe(101);
  });

  test("keeps a page for its lifetime and no longer, counted from when its rendering began", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const cache = new ResponseCache();
    cache.lifetimeMs = 1_000;
    const slow = async () => {
      vi.advanceTimersByTime(600);
      return page("first");
    };
    await cache.get("/", slow);
    vi.advanceTimersByTime(399);
    expect(await text(cache.get("/", async () => page("second")))).toBe("first");
    vi.advanceTimersByTime(1);
    expect(await text(cache.get("/", async () => page("second")))).toBe("second");
  });

  test("whose lifetime ends shows nothing that is older", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const cache = new ResponseCache();
    await cache.get("/", async () => page("old"));
    vi.advanceTimersByTime(60_000);
    expect(await text(cache.get("/", async () => page("new")))).toBe("old");
    cache.lifetimeMs = 1_000;
    expect(await text(cache.get("/", async () => page("new")))).toBe("new");
  });

  test("shows a page beyond its lifetime while a newer one cannot be read, unless a write has cleared it", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const cache = new ResponseCache();
    cache.lifetimeMs = 1_000;
    const broken = async () => page("half", { status: 503 });
    await cache.get("/", async () => page("old"));
    vi.advanceTimersByTime(2_000);
    expect(await text(cache.get("/", broken))).toBe("old");
    expect(await text(cache.get("/", async () => page("new")))).toBe("new");
    cache.clear();
    expect((await cache.get("/", broken)).status).toBe(503);
  });

  test("shows a page beyond its lifetime while there is no room to make a newer one", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const cache = new ResponseCache();
    cache.lifetimeMs = 1_000;
    const crowded = () => Promise.reject(new Error("crowded"));
    await cache.get("/", async () => page("old"));
    vi.advanceTimersByTime(2_000);
    expect(await text(cache.get("/", crowded))).toBe("old");
    cache.clear();
    await expect(cache.get("/", crowded)).rejects.toThrow("crowded");
  });
});
