import type { DataClient } from "../../app/data/client.ts";
import { errorMessage } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { CacheKey } from "../pages/cache-key.ts";
import type { MakeAnswer } from "../pages/cached.ts";
import type { MadeAnswer } from "../pages/response-cache.ts";
import type { Renderer } from "../rendering/renderer.ts";
import { createAtomFeeds } from "./atom-feeds.ts";
import { createSitemaps, writeRobots } from "./sitemaps.ts";

export interface FeedParts {
  data: DataClient;
  render: Renderer["render"];
  /** Every address is made from it, whatever a request's `Host` says. */
  siteUrl: string;
  log: Log;
}

interface FeedDocument {
  type: string;
  text: string;
  isFinal?: boolean;
}

const ATOM = "application/atom+xml; charset=utf-8";
const XML = "application/xml; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";

const PERSON_FEED = /^\/profile\/([^/]+)\/feed\.xml$/;
const FIXED = new Set(["/robots.txt", "/feed.xml", "/sitemap.xml", "/sitemaps/pages.xml"]);

export const FEED_PATHS = [...FIXED, "/sitemaps/*", "/profile/:name/feed.xml"];

export const feedKey = (path: string): CacheKey => ({ address: path, isFixed: FIXED.has(path) });

export function createFeeds({ data, render, siteUrl, log }: FeedParts): MakeAnswer {
  const url = (path: string) => siteUrl + path;
  const feeds = createAtomFeeds({ data, render, url });
  const readSitemap = createSitemaps(data, url);

  async function read(path: string, siteTitle: string): Promise<FeedDocument | null> {
    if (path === "/robots.txt") return { type: PLAIN, text: writeRobots(siteUrl) };
    const person = PERSON_FEED.exec(path)?.[1];
    if (person !== undefined || path === "/feed.xml") {
      const feed = await (person === undefined ? feeds.ofSite(siteTitle) : feeds.ofPerson(person, siteTitle));
      return feed && { type: ATOM, ...feed };
    }
    const text = await readSitemap(path);
    return text === null ? null : { type: XML, text };
  }

  return async ({ address, siteTitle, requestId }) => {
    try {
      const found = await read(address, siteTitle);
      return found ? answer(200, found) : answer(404, NOT_FOUND);
    } catch (error) {
      log.error("feed.failed", { requestId, reason: errorMessage(error) });
      return answer(503, UNREADABLE);
    }
  };
}

const NOT_FOUND: FeedDocument = { type: PLAIN, text: "Not Found\n", isFinal: false };
const UNREADABLE: FeedDocument = { type: PLAIN, text: "Please try again in a moment.\n", isFinal: false };

function answer(status: number, { type, text, isFinal = true }: FeedDocument): MadeAnswer {
  const headers = { "Content-Type": type, ...(status === 503 && { "Retry-After": "2" }) };
  return { status, headers, body: Buffer.from(text), isComplete: status < 500, isFinal };
}
