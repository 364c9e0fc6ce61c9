import { hash } from "node:crypto";
import { itemPath, LIST_PATHS, personPath } from "../../app/data/addresses.ts";
import { authorName } from "../../app/data/author.ts";
import type { DataClient } from "../../app/data/client.ts";
import { describeHtml } from "../../app/data/description.ts";
import {
  countForSitemap,
  feedArticles,
  itemsForSitemap,
  peopleForSitemap,
  SITEMAP_PEOPLE,
  SITEMAP_ROWS,
  type SitemapTable,
} from "../../app/data/feed-reads.ts";
import { findPerson, findSegments } from "../../app/data/people-reads.ts";
import type { Article, Authored } from "../../app/data/schema.ts";
import { errorMessage } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { CacheKey } from "../pages/cache-key.ts";
import type { MakeAnswer } from "../pages/cached.ts";
import type { MadeAnswer } from "../pages/response-cache.ts";
import type { Renderer } from "../rendering/renderer.ts";
import { withAbsoluteAddresses } from "./absolute-addresses.ts";
import { type AtomEntry, writeAtom } from "./atom.ts";
import { writeRobots, writeSitemap, writeSitemapIndex } from "./sitemap.ts";

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
  /** False when some texts were still being rendered. */
  isFinal: boolean;
}

const ATOM = "application/atom+xml; charset=utf-8";
const XML = "application/xml; charset=utf-8";

/** No site is older. */
const BEGINNING = "2025-01-01T00:00:00Z";

const SITEMAPS: Record<string, SitemapTable> = {
  people: "profiles",
  articles: "articles",
  "useful-links": "useful_links",
  "sample-code": "code_samples",
};

const PERSON_FEED = /^\/profile\/([^/]+)\/feed\.xml$/;
const SITEMAP = /^\/sitemaps\/(people|articles|useful-links|sample-code)-([1-9]\d{0,4})\.xml$/;

const FIXED = new Set(["/robots.txt", "/feed.xml", "/sitemap.xml", "/sitemaps/pages.xml"]);

export const FEED_PATHS = [...FIXED, "/sitemaps/*", "/profile/:name/feed.xml"];

export const feedKey = (path: string): CacheKey => ({ address: path, isFixed: FIXED.has(path) });

/** The documents that machines read. */
export function createFeeds({ data, render, siteUrl, log }: FeedParts): MakeAnswer {
  const url = (path: string) => siteUrl + path;
  const xml = (text: string): FeedDocument => ({ type: XML, text, isFinal: true });

  async function writeFeed(articles: Authored<Article>[], segments: Map<string, string>) {
    let isFinal = true;
    const jobs = articles.map(({ content }) => ({ kind: "markdown" as const, text: content }));
    const rendered = await render(jobs, () => {
      isFinal = false;
    });
    const entries = articles.map((article, index): AtomEntry => {
      const address = url(itemPath("articles", article.id));
      const html = rendered[index] ?? "";
      return {
        id: article.id,
        title: article.title,
        url: address,
        published: article.created_at,
        updated: article.updated_at ?? article.created_at,
        author: {
          name: authorName(article.profiles),
          url: url(personPath(segments.get(article.author_id) ?? article.author_id)),
        },
        html: withAbsoluteAddresses(html, address),
        excerpt: describeHtml(html),
      };
    });
    return { entries, isFinal };
  }

  async function siteFeed(siteTitle: string): Promise<FeedDocument> {
    const articles = await feedArticles(data);
    const authors = articles.map(({ author_id: id, profiles }) => ({
      id,
      username: profiles?.username ?? null,
    }));
    const { entries, isFinal } = await writeFeed(articles, await findSegments(data, authors));
    const text = writeAtom({
      id: uuidOf(url("/feed.xml")),
      title: `Articles · ${siteTitle}`,
      url: url("/"),
      selfUrl: url("/feed.xml"),
      updated: BEGINNING,
      author: { name: siteTitle, url: url("/") },
      entries,
    });
    return { type: ATOM, text, isFinal };
  }

  async function personFeed(nameOrId: string, siteTitle: string): Promise<FeedDocument | null> {
    const found = await findPerson(data, nameOrId);
    // Somebody whose username is their address has no second one.
    if (found?.segment !== nameOrId) return null;
    const { person, segment } = found;
    const articles = await feedArticles(data, person.id);
    const { entries, isFinal } = await writeFeed(articles, new Map([[person.id, segment]]));
    const address = url(personPath(segment));
    const name = authorName(person);
    const text = writeAtom({
      id: person.id,
      title: `${name} · ${siteTitle}`,
      url: address,
      selfUrl: `${address}/feed.xml`,
      updated: BEGINNING,
      author: { name, url: address },
      entries,
    });
    return { type: ATOM, text, isFinal };
  }

  async function sitemapIndex(): Promise<FeedDocument> {
    const named = await Promise.all(
      Object.entries(SITEMAPS).map(async ([name, table]) => {
        const pages = Math.ceil(
          (await countForSitemap(data, table)) / (table === "profiles" ? SITEMAP_PEOPLE : SITEMAP_ROWS),
        );
        return Array.from({ length: pages }, (_, page) => url(`/sitemaps/${name}-${page + 1}.xml`));
      }),
    );
    return xml(writeSitemapIndex([url("/sitemaps/pages.xml"), ...named.flat()]));
  }

  async function sitemap(table: SitemapTable, page: number): Promise<FeedDocument | null> {
    const entries =
      table === "profiles"
        ? (await peopleForSitemap(data, page)).map(({ segment, changedAt }) => ({
            url: url(personPath(segment)),
            changedAt,
          }))
        : (await itemsForSitemap(data, table, page)).map(({ id, changedAt }) => ({
            url: url(itemPath(table, id)),
            changedAt,
          }));
    return entries.length > 0 ? xml(writeSitemap(entries)) : null;
  }

  async function read(path: string, siteTitle: string): Promise<FeedDocument | null> {
    switch (path) {
      case "/robots.txt":
        return { type: "text/plain; charset=utf-8", text: writeRobots(siteUrl), isFinal: true };
      case "/feed.xml":
        return siteFeed(siteTitle);
      case "/sitemap.xml":
        return sitemapIndex();
      case "/sitemaps/pages.xml":
        return xml(writeSitemap(["/", ...Object.values(LIST_PATHS)].map((page) => ({ url: url(page) }))));
    }
    const segment = PERSON_FEED.exec(path)?.[1];
    if (segment !== undefined) return personFeed(segment, siteTitle);
    const [, name = "", page] = SITEMAP.exec(path) ?? [];
    const table = SITEMAPS[name];
    return table ? sitemap(table, Number(page) - 1) : null;
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

const PLAIN = "text/plain; charset=utf-8";
const NOT_FOUND: FeedDocument = { type: PLAIN, text: "Not Found\n", isFinal: false };
const UNREADABLE: FeedDocument = { type: PLAIN, text: "Please try again in a moment.\n", isFinal: false };

function answer(status: number, { type, text, isFinal }: FeedDocument): MadeAnswer {
  const headers = { "Content-Type": type, ...(status === 503 && { "Retry-After": "2" }) };
  return { status, headers, body: Buffer.from(text), isComplete: status < 500, isFinal };
}

const URL_NAMESPACE = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex");

/** RFC 9562, version 5 in the namespace of addresses. */
function uuidOf(address: string): string {
  const bytes = hash("sha1", Buffer.concat([URL_NAMESPACE, Buffer.from(address)]), "buffer").subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
