import type { DataClient } from "../../app/data/client.ts";
import type { MakeAnswer } from "../pages/cached.ts";
import type { MadeAnswer } from "../pages/response-cache.ts";
import type { Render } from "../rendering/renderer.ts";
import { createAtomFeeds } from "./atom-feeds.ts";
import { createSitemaps, writeRobots } from "./sitemaps.ts";

/** By path, in the order of the routes. Every address is made from `siteUrl`, whatever a request's `Host` says. */
export function createFeeds(data: DataClient, render: Render, siteUrl: string): Record<string, MakeAnswer> {
  const url = (path: string) => siteUrl + path;
  const feeds = createAtomFeeds(data, render, url);
  const sitemaps = createSitemaps(data, url);
  return {
    "/robots.txt": async () => document("text/plain", writeRobots(siteUrl)),
    "/feed.xml": async ({ siteTitle }) => atom(await feeds.ofSite(siteTitle)),
    "/profile/:name/feed.xml": async ({ siteTitle }, { name = "" }) =>
      atom(await feeds.ofPerson(name, siteTitle)),
    "/sitemap.xml": async () => sitemap(await sitemaps.index()),
    "/sitemaps/pages.xml": async () => sitemap(await sitemaps.pages()),
    "/sitemaps/:name": async (_, { name = "" }) => sitemap(await sitemaps.named(name)),
  };
}

const atom = (feed: { text: string; isFinal: boolean } | null) =>
  feed && document("application/atom+xml", feed.text, feed.isFinal);

const sitemap = (text: string | null) => (text === null ? null : document("application/xml", text));

function document(type: string, text: string, isFinal = true): MadeAnswer {
  const headers = { "content-type": `${type}; charset=utf-8` };
  return { status: 200, headers, body: Buffer.from(text), isFinal };
}
