import type { Context, MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import { AdmissionError } from "../http/admission-error.ts";
import { StoredResponse } from "./stored-response.ts";

const TTL_MS = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;

type Render = () => Promise<StoredResponse>;

class FailedRender extends Error {
  override readonly name = "FailedRender";
  readonly response: StoredResponse;

  constructor(response: StoredResponse) {
    super(`The page has status ${response.status}`);
    this.response = response;
  }
}

/** Keeps each page for a second if its `Cache-Control` has `s-maxage`, and renders it once for all that wait for it. */
export function createPageCache() {
  const counts = { hits: 0, misses: 0 };
  const cache = new LRUCache<string, StoredResponse, Render>({
    ttl: TTL_MS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ size }) => size,
    // Clients that asked before a write still get the page that is being rendered for them.
    ignoreFetchAbort: true,
    async fetchMethod(_key, _stale, { context: render }) {
      const response = await render();
      if (response.status >= 500) throw new FailedRender(response);
      return response;
    },
  });

  async function renderOnce(key: string, render: Render): Promise<StoredResponse> {
    try {
      const response = await cache.forceFetch(key, {
        context: render,
        forceRefresh: true,
        // If the database fails, clients get the old page. Without one, lru-cache would hide the error.
        allowStaleOnFetchRejection: cache.peek(key, { allowStale: true }) !== undefined,
      });
      if (!response.isCacheable) cache.delete(key);
      return response;
    } catch (error) {
      if (error instanceof FailedRender) return error.response;
      throw error;
    }
  }

  /** For GET requests. Also serves an old page if the server is too busy to render it. */
  const serveFresh: MiddlewareHandler = async (c, next) => {
    const key = keyOf(c);
    const accepted = c.req.header("Accept-Encoding");
    const page = isReload(c) ? undefined : cache.get(key, { noDeleteOnStaleGet: true });
    if (page !== undefined) {
      counts.hits++;
      return page.toResponse(accepted);
    }
    await next();
    const old = c.error instanceof AdmissionError ? cache.peek(key, { allowStale: true }) : undefined;
    if (old === undefined) return undefined;
    // Otherwise Hono merges the headers of the rejection into the page's.
    c.res = undefined;
    c.res = await old.toResponse(accepted);
    return undefined;
  };

  /** For GET requests. Renders data of a page (`.data`) for each request: a member who has just written asks for it. */
  const render: MiddlewareHandler = async (c, next) => {
    counts.misses++;
    const renderNow = async () => {
      await next();
      return StoredResponse.from(c.res);
    };
    const page = await (c.req.path.endsWith(".data") ? renderNow() : renderOnce(keyOf(c), renderNow));
    // Otherwise Hono merges the headers of the old response into the new one.
    c.res = undefined;
    c.res = await page.toResponse(c.req.header("Accept-Encoding"));
  };

  return {
    counts,
    serveFresh,
    render,
    /** The next request for each page renders it afresh, and gets the old one only if that fails. */
    markStale(): void {
      const pages = cache.dump();
      // Pages that are being rendered may have been read before the write.
      cache.clear();
      cache.load(pages.map(([key, entry]) => [key, { ...entry, start: Date.now() - 2 * TTL_MS }]));
    },
  };
}

function keyOf(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  return `${c.var.siteTitle} ${pathname}${search}`;
}

/** Browsers send `max-age=0` for a reload, and `no-cache` for one that passes by all caches. */
function isReload(c: Context): boolean {
  return /\b(no-cache|max-age=0)\b/.test(c.req.header("Cache-Control") ?? "");
}
