import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { afterAll, describe, expect, test, vi } from "vitest";
import { RetryLaterError } from "../http/retry-later-error.ts";
import { createPageCache } from "./page-cache.ts";

const CACHEABLE = { "Cache-Control": "public, max-age=0, s-maxage=1", "Content-Type": "text/html" };

const realNow = performance.now.bind(performance);
let skipped = 0;
vi.spyOn(performance, "now").mockImplementation(() => realNow() + skipped);
afterAll(() => void vi.restoreAllMocks());

/** Adds a second to the cache's clock. Its pages then expire. */
async function passSecond() {
  skipped += 1_000;
  // lru-cache reads the clock at most once in a millisecond.
  await sleep(5);
}

type Page = (c: Context) => Response | Promise<Response>;

/** Creates a site with a page cache. By default, each page shows how many pages the site has rendered so far. */
function openSite(page?: Page) {
  let renderings = 0;
  const cache = createPageCache();
  const app = new Hono();
  app.onError((error, c) => c.text(error.message, 503));
  const rejectIfBusy: MiddlewareHandler = async (_, next) => {
    if (site.isBusy) throw new RetryLaterError(503, "busy", 2);
    await next();
  };
  app.use((c, next) => {
    c.set("siteTitle", new URL(c.req.url).host);
    return next();
  });
  app.use(cache.serveFresh, rejectIfBusy, cache.renderAndStore);
  app.get("*", (c) => {
    renderings++;
    return site.page(c);
  });
  const site = {
    cache,
    isBusy: false,
    page: page ?? ((c: Context) => c.body(`rendering ${renderings}`, 200, CACHEABLE)),
    renderings: () => renderings,
    get: async (path = "/", headers: Record<string, string> = {}) => app.request(path, { headers }),
    text: async (path = "/", headers: Record<string, string> = {}) =>
      (await app.request(path, { headers })).text(),
  };
  return site;
}

/** A page whose render completes when `finish` is called. */
function slowPage() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const page: Page = async (c) => c.body(await promise, 200, CACHEABLE);
  return { page, finish: resolve };
}

describe("the page cache", () => {
  test("a page is rendered once for all clients that are waiting for it", async () => {
    const site = openSite();
    const texts = await Promise.all(Array.from({ length: 100 }, () => site.text()));
    expect(new Set(texts)).toEqual(new Set(["rendering 1"]));
  });

  test("a page is served for one second without rendering it again", async () => {
    const site = openSite();
    expect(await site.text()).toBe("rendering 1");
    expect(await site.text()).toBe("rendering 1");
    await passSecond();
    expect(await site.text()).toBe("rendering 2");
    expect(site.cache.counts).toEqual({ hits: 1, misses: 2 });
  });

  test("pages with different paths, searches and site titles are cached separately", async () => {
    const site = openSite((c) => c.body(`${c.var.siteTitle} ${c.req.url}`, 200, CACHEABLE));
    const urls = ["http://a.test/articles", "http://a.test/people", "http://a.test/articles?q=1"];
    urls.push("http://b.test/articles");
    for (const url of [...urls, ...urls]) expect(await site.text(url)).toBe(`${new URL(url).host} ${url}`);
    expect(site.renderings()).toBe(urls.length);
  });

  test("a query parameter that the page does not know adds no copy of the page", async () => {
    const site = openSite();
    for (let count = 0; count < 50; count++) expect(await site.text(`/?x=${count}`)).toBe("rendering 1");
  });

  test("searches that fill the cache don't evict the main pages, which are served while the database fails", async () => {
    const site = openSite((c) => c.body("x".repeat(1024 * 1024), 200, CACHEABLE));
    await site.get("/articles");
    for (let count = 0; count < 20; count++) await site.get(`/articles?q=${count}`);
    site.cache.markStale();
    site.page = () => Promise.reject(new Error("The database is down"));
    expect((await site.get("/articles?q=1")).status).toBe(503);
    expect((await site.get("/articles")).status).toBe(200);
  });

  test.each(["max-age=0", "no-cache"])(
    "a reload with Cache-Control: %s renders the page again",
    async (value) => {
      const site = openSite();
      await site.get();
      expect(await site.text("/", { "Cache-Control": value })).toBe("rendering 2");
      expect(await site.text()).toBe("rendering 2");
    },
  );

  test("page data (.data) is rendered again for each request", async () => {
    const site = openSite();
    const texts = await Promise.all([site.text("/articles.data"), site.text("/articles.data")]);
    expect(texts.toSorted()).toEqual(["rendering 1", "rendering 2"]);
    expect(site.renderings()).toBe(2);
    await site.get("/articles.data");
    expect(site.renderings()).toBe(3);
  });

  test("pages without s-maxage or with a status other than 200 are not cached", async () => {
    for (const [status, headers] of [
      [200, {}],
      [404, CACHEABLE],
      [503, CACHEABLE],
    ] as const) {
      const site = openSite((c) => c.body("x", status, headers));
      await site.get();
      await site.get();
      expect(site.renderings(), String(status)).toBe(2);
    }
  });

  test("a page that becomes a 404 is no longer served from the cache", async () => {
    const site = openSite();
    await site.get();
    await passSecond();
    site.page = (c: Context) => c.text("gone", 404);
    expect((await site.get()).status).toBe(404);
  });

  test("a page is rendered again after a write", async () => {
    const site = openSite();
    await site.get();
    site.cache.markStale();
    expect(await site.text()).toBe("rendering 2");
    expect(await site.text()).toBe("rendering 2");
  });

  test("the old page is served if the database fails, even right after a write", async () => {
    const site = openSite();
    await site.get();
    const failing: Page = () => Promise.reject(new Error("The database is down"));
    site.page = failing;
    await passSecond();
    expect(await site.text()).toBe("rendering 1");
    site.cache.markStale();
    expect(await site.text()).toBe("rendering 1");
    for (const status of [500, 503] as const) {
      site.page = (c: Context) => c.text("partly read", status);
      expect(await site.text(), String(status)).toBe("rendering 1");
      const another = await site.get("/another");
      expect([another.status, await another.text()]).toEqual([status, "partly read"]);
    }
  });

  test("each failed page has its own reason, and failures aren't cached", async () => {
    const site = openSite(() => Promise.reject(new Error("The database is down")));
    expect(await site.text()).toBe("The database is down");
    site.page = () => Promise.reject(new Error("The disk is full"));
    expect(await site.text()).toBe("The disk is full");
  });

  test("the old page is served if the server is too busy to render a new one", async () => {
    const site = openSite();
    await site.get();
    site.cache.markStale();
    site.isBusy = true;
    expect(await site.text()).toBe("rendering 1");
    expect((await site.get("/another")).status).toBe(503);
    site.isBusy = false;
    expect(await site.text()).toBe("rendering 2");
  });

  test("all waiting clients receive a failed render's error, and the next request renders the page again", async () => {
    const site = openSite(() => Promise.reject(new Error("The database is down")));
    const responses = await Promise.all([site.get(), site.get()]);
    expect(responses.map(({ status }) => status)).toEqual([503, 503]);
    site.page = (c) => c.body("again", 200, CACHEABLE);
    expect(await site.text()).toBe("again");
  });

  test("a page whose render began before a write is served only to clients that requested it before the write", async () => {
    const early = slowPage();
    const site = openSite(early.page);
    const before = site.text();
    await sleep(0);
    site.cache.markStale();
    const late = slowPage();
    site.page = late.page;
    const after = site.text();
    await sleep(0);
    early.finish("read before the write");
    late.finish("read after the write");
    expect(await before).toBe("read before the write");
    expect(await after).toBe("read after the write");
    expect(await site.text()).toBe("read after the write");
  });

  test("a page whose render began before a write is not cached, even if no other client requests it before the render ends", async () => {
    for (const isCached of [false, true]) {
      const early = slowPage();
      const site = openSite();
      if (isCached) await site.get();
      site.page = early.page;
      const before = site.text("/", { "Cache-Control": "no-cache" });
      await sleep(0);
      site.cache.markStale();
      early.finish("read before the write");
      expect(await before).toBe("read before the write");
      site.page = (c) => c.body("read after the write", 200, CACHEABLE);
      expect(await site.text()).toBe("read after the write");
    }
  });

  test("a full cache drops its oldest page and keeps its newest one", async () => {
    const site = openSite((c) => c.body("x".repeat(1024 * 1024), 200, CACHEABLE));
    for (let page = 0; page < 20; page++) await site.get(`/${page}`);
    await site.get("/19");
    expect(site.renderings()).toBe(20);
    await site.get("/0");
    expect(site.renderings()).toBe(21);
  });
});

describe("the compression and ETag of a page", () => {
  const LONG = "<p>The same line.</p>".repeat(100);

  test("a page is compressed only for clients that accept gzip", async () => {
    const site = openSite((c) => c.body(LONG, 200, CACHEABLE));
    for (let visit = 0; visit < 2; visit++) {
      const response = await site.get("/", { "Accept-Encoding": "gzip" });
      expect(response.headers.get("Content-Encoding")).toBe("gzip");
      const body = Buffer.from(await response.arrayBuffer());
      expect(response.headers.get("Content-Length")).toBe(String(body.length));
      expect(gunzipSync(body).toString()).toBe(LONG);
      expect(await site.text()).toBe(LONG);
    }
  });

  test("shared caches keep a page apart for each encoding, and don't keep a page without rules", async () => {
    const site = openSite((c) => c.body(LONG, 200, { Vary: "Cookie" }));
    const { headers } = await site.get("/", { "Accept-Encoding": "gzip" });
    expect(headers.get("Vary")).toBe("Accept-Encoding");
    expect(headers.get("Cache-Control")).toBe("no-store");
  });

  test("a picture is not compressed", async () => {
    const site = openSite((c) => c.body(LONG, 200, { "Content-Type": "image/png" }));
    const response = await site.get("/", { "Accept-Encoding": "br" });
    expect(response.headers.get("Content-Encoding")).toBeNull();
    expect(await response.text()).toBe(LONG);
  });

  test("pages have the same ETag if and only if they have the same content", async () => {
    const site = openSite((c) => c.body(c.req.query("q") ?? "", 200, CACHEABLE));
    const etagOf = async (path: string) => (await site.get(path)).headers.get("ETag");
    expect(await etagOf("/search?q=same")).toMatch(/^W\/"[\w-]{20,}"$/);
    expect(await etagOf("/search?q=same")).toBe(await etagOf("/articles?q=same"));
    expect(await etagOf("/search?q=same")).not.toBe(await etagOf("/search?q=other"));
  });
});
