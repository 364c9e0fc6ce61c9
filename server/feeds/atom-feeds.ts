import { v5 } from "uuid";
import { itemPath, personPath } from "../../app/data/addresses.ts";
import { authorName } from "../../app/data/author.ts";
import type { DataClient } from "../../app/data/client.ts";
import { decodeEntities, describeHtml } from "../../app/data/description.ts";
import { feedArticles } from "../../app/data/feed-reads.ts";
import { findPerson, findSegments } from "../../app/data/people-reads.ts";
import type { Article, Authored } from "../../app/data/schema.ts";
import type { Renderer } from "../rendering/renderer.ts";
import { xmlText } from "../xml.ts";
import { type AtomEntry, type AtomFeed, writeAtom } from "./atom.ts";

interface AtomParts {
  data: DataClient;
  render: Renderer["render"];
  url(path: string): string;
}

type FeedHead = Omit<AtomFeed, "entries">;

/** Its functions throw ReadError. */
export function createAtomFeeds({ data, render, url }: AtomParts) {
  async function writeFeed(head: FeedHead, articles: Authored<Article>[], segments: Map<string, string>) {
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
        html: htmlForFeed(html, address),
        excerpt: describeHtml(html),
      };
    });
    return { text: writeAtom({ ...head, entries }), isFinal };
  }

  return {
    async ofSite(siteTitle: string) {
      const articles = await feedArticles(data);
      const authors = articles.map(({ author_id: id, profiles }) => ({
        id,
        username: profiles?.username ?? null,
      }));
      const head = {
        id: v5(url("/feed.xml"), v5.URL),
        title: `Articles · ${siteTitle}`,
        url: url("/"),
        selfUrl: url("/feed.xml"),
        author: { name: siteTitle, url: url("/") },
      };
      return writeFeed(head, articles, await findSegments(data, authors));
    },
    /** Null where that is nobody's address. */
    async ofPerson(nameOrId: string, siteTitle: string) {
      const found = await findPerson(data, nameOrId);
      // Somebody whose username is their address has no second one.
      if (found?.segment !== nameOrId) return null;
      const { person, segment } = found;
      const articles = await feedArticles(data, person.id);
      const address = url(personPath(segment));
      const name = authorName(person);
      const head = {
        id: person.id,
        title: `${name} · ${siteTitle}`,
        url: address,
        selfUrl: `${address}/feed.xml`,
        author: { name, url: address },
      };
      return writeFeed(head, articles, new Map([[person.id, segment]]));
    },
  };
}

/**
 * Our renderer's HTML as a feed reader shows it elsewhere: links and pictures absolute, without the page's buttons. It
 * has its attributes in double quotes, no bare double quote in its texts, and no button of a member's.
 */
export function htmlForFeed(html: string, base: string): string {
  const text = html.replace(/<button.*?<\/button>/g, "");
  return text.replace(/ (href|src)="([^"]+)"/g, (whole, name: string, value: string) => {
    const address = URL.parse(decodeEntities(value), base);
    return address ? ` ${name}="${xmlText(address.href)}"` : whole;
  });
}
