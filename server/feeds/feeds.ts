import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { DataReader } from "../../common/data/reader.ts";
import type { Render } from "../rendering/renderer.ts";
import { createAtomFeeds, FEED_KINDS } from "./atom-feeds.ts";
import { createSitemaps, writeRobots } from "./sitemaps.ts";

/** Serves robots.txt, Atom feeds and sitemaps. Their links to the site use `siteUrl`, regardless of the `Host`. */
export function createFeeds(data: DataReader, render: Render, siteUrl: string): Hono {
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

const ATOM = "application/atom+xml";

/** Chromium shows Atom as plain text, without its style sheet. Browsers, which accept HTML, therefore get it as XML. */
const sendXmlToBrowsers: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.get("Content-Type")?.startsWith(ATOM)) return;
  c.res.headers.append("Vary", "Accept");
  if (c.req.header("Accept")?.includes("text/html"))
    c.res.headers.set("Content-Type", "application/xml; charset=utf-8");
};

/** Must be mounted before the page cache, which has one copy of a feed for all clients. */
export function mountFeedTypes(app: Hono): void {
  for (const { feed } of FEED_KINDS)
    for (const path of [feed, `/profile/:name${feed}`]) app.use(path, sendXmlToBrowsers);
}

/** Allows only the feed's style sheet. */
const FEED_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function atom(c: Context, text: string | null) {
  if (text !== null) c.header("Content-Security-Policy", FEED_POLICY);
  return document(c, ATOM, text);
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
