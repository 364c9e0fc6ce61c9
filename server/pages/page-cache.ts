import type { Context, MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import { RetryLaterError } from "../http/retry-later-error.ts";
import { isMainPage, pageAddress } from "./page-address.ts";
import { StoredResponse } from "./stored-response.ts";

const TTL_MS = 1_000;
/** For each of the two caches. */
const MAX_BYTES = 32 * 1024 * 1024;

type Render = () => Promise<StoredResponse>;

class FailedRender extends Error {
  override readonly name = "FailedRender";
  readonly response: StoredResponse;

  constructor(response: StoredResponse) {
    super(`The page has status ${response.status}`);
    this.response = response;
  }
}

function createCache() {
  return new LRUCache<string, StoredResponse, Render>({
    ttl: TTL_MS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ size }) => size,
    // A write aborts pending renders. Clients that are already waiting still get their page.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { context: render }) {
      const response = await render();
      if (response.status >= 500) throw new FailedRender(response);
      return response;
    },
  });
}

/**
 * Caches pages with `s-maxage` in their `Cache-Control` for one second, by site title and address. Simultaneous requests
 * share one render. The main pages have a cache of their own, so that other pages can't evict their last good copies.
 * Mount it after `setSiteTitle`.
 */
export function createPageCache() {
  const counts = { hits: 0, misses: 0 };
  const mainPages = createCache();
  const otherPages = createCache();

  /** Everything that a page depends on: its address, and the title, which is the host's only effect. */
  function locate(c: Context) {
    const address = pageAddress(new URL(c.req.url));
    return { key: `${c.var.siteTitle} ${address}`, cache: isMainPage(address) ? mainPages : otherPages };
  }

  async function renderOnce(
    { key, cache }: ReturnType<typeof locate>,
    render: Render,
  ): Promise<StoredResponse> {
    try {
      const response = await cache.forceFetch(key, {
        context: render,
        forceRefresh: true,
        // Serve the old page if the render fails. If there is none, this option would hide the render's error.
        allowStaleOnFetchRejection: cache.peek(key, { allowStale: true }) !== undefined,
      });
      if (!response.isCacheable) cache.delete(key);
      return response;
    } catch (error) {
      if (error instanceof FailedRender) return error.response;
      throw error;
    }
  }

  /** Serves cached pages, and an expired one if the server is too busy to render. For GET and HEAD requests. */
  const serveFresh: MiddlewareHandler = async (c, next) => {
    const { key, cache } = locate(c);
    const accepted = c.req.header("Accept-Encoding");
    const page = isReload(c) ? undefined : cache.get(key, { noDeleteOnStaleGet: true });
    if (page !== undefined) {
      counts.hits++;
      return page.getResponse(accepted);
    }
    await next();
    const old = c.error instanceof RetryLaterError ? cache.peek(key, { allowStale: true }) : undefined;
    if (old === undefined) return undefined;
    // Clear the rejection first, or Hono would merge its headers into the page's.
    c.res = undefined;
    c.res = await old.getResponse(accepted);
    return undefined;
  };

  /**
   * For GET and HEAD requests. Doesn't cache page data (`.data`): members request it right after a write, possibly from
   * another process, whose cache was not marked stale.
   */
  const renderAndStore: MiddlewareHandler = async (c, next) => {
    counts.misses++;
    const renderNow = async () => {
      await next();
      return StoredResponse.from(c.res);
    };
    const page = await (c.req.path.endsWith(".data") ? renderNow() : renderOnce(locate(c), renderNow));
    // Clear the first response, or Hono would merge its headers into the new one.
    c.res = undefined;
    c.res = await page.getResponse(c.req.header("Accept-Encoding"));
  };

  return {
    counts,
    serveFresh,
    renderAndStore,
    /** Makes the next request for each page render it again. The old page is served only if the site can't render it. */
    markStale(): void {
      for (const cache of [mainPages, otherPages]) {
        const pages = cache.dump();
        // `load` first clears the cache, and so drops pending renders, which may have read the database before the write.
        cache.load(pages.map(([key, entry]) => [key, { ...entry, start: Date.now() - 2 * TTL_MS }]));
      }
    },
  };
}

/** Browsers send `max-age=0` for a reload, and `no-cache` for a forced reload. */
function isReload(c: Context): boolean {
  return /\b(no-cache|max-age=0)\b/.test(c.req.header("Cache-Control") ?? "");
}
