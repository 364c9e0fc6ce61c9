import type { DataClient } from "../../app/data/client.ts";
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
}

const ATOM = "application/atom+xml; charset=utf-8";
const XML = "application/xml; charset=utf-8";
const PLAIN = "text/plain; charset=utf-8";

const PERSON_FEED = /^\/profile\/([^/]+)\/feed\.xml$/;
const FIXED = new Set(["/robots.txt", "/feed.xml", "/sitemap.xml", "/sitemaps/pages.xml"]);

export const FEED_PATHS = [...FIXED, "/sitemaps/*", "/profile/:name/feed.xml"];

export const feedKey = (path: string): CacheKey => ({ address: path, isFixed: FIXED.has(path) });

export function createFeeds({ data, render, siteUrl }: FeedParts): MakeAnswer {
  const url = (path: string) => siteUrl + path;
  const feeds = createAtomFeeds({ data, render, url });
  const readSitemap = createSitemaps(data, url);

  return async ({ address, siteTitle }) => {
    if (address === "/robots.txt") return document(PLAIN, writeRobots(siteUrl));
    const person = PERSON_FEED.exec(address)?.[1];
    if (person !== undefined || address === "/feed.xml") {
      const feed = await (person === undefined ? feeds.ofSite(siteTitle) : feeds.ofPerson(person, siteTitle));
      return feed && document(ATOM, feed.text, feed.isFinal);
    }
    const text = await readSitemap(address);
    return text === null ? null : document(XML, text);
  };
}

function document(type: string, text: string, isFinal = true): MadeAnswer {
  const headers = { "content-type": type };
  return { status: 200, headers, body: Buffer.from(text), isComplete: true, isFinal };
}
