import { type Context, Hono } from "hono";
import type { DataClient } from "../../common/data/client.ts";
import type { Render } from "../rendering/renderer.ts";
import { createAtomFeeds, FEED_KINDS } from "./atom-feeds.ts";
import { createSitemaps, writeRobots } from "./sitemaps.ts";

/** Serves robots.txt, Atom feeds and sitemaps. Their links to the site use `siteUrl`, regardless of the `Host`. */
export function createFeeds(data: DataClient, render: Render, siteUrl: string): Hono {
  const url = (path: string) => siteUrl + path;
  const feeds = createAtomFeeds(data, render, url);
  const sitemaps = createSitemaps(data, url);
  const routes = new Hono();

  routes.get("/robots.txt", (c) => document(c, "text/plain", writeRobots(siteUrl)));
  for (const kind of FEED_KINDS) {
    routes.get(kind.feed, async (c) => atom(c, await feeds.ofSite(kind, c.var.siteTitle)));
    routes.get(`/profile/:name${kind.feed}`, async (c) =>
      atom(c, await feeds.ofPerson(kind, c.req.param("name") ?? "", c.var.siteTitle)),
    );
  }
  routes.get("/sitemap.xml", async (c) => sitemap(c, await sitemaps.index()));
  routes.get("/sitemaps/pages.xml", async (c) => sitemap(c, await sitemaps.pages()));
  routes.get("/sitemaps/:name", async (c) => sitemap(c, await sitemaps.named(c.req.param("name"))));
  return routes;
}

function atom(c: Context, text: string | null) {
  return document(c, "application/atom+xml", text);
}

function sitemap(c: Context, text: string | null) {
  return document(c, "application/xml", text);
}

function document(c: Context, type: string, text: string | null) {
  if (text === null) return c.text("Not Found\n", 404, { "Cache-Control": "no-store" });
  return c.body(text, 200, {
    "Content-Type": `${type}; charset=utf-8`,
    "Cache-Control": "public, max-age=0, s-maxage=1",
  });
}
