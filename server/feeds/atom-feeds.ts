import { v5 } from "uuid";
import { itemPath, personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import type { DataClient } from "../../common/data/client.ts";
import { AUTHOR, newest } from "../../common/data/content-reads.ts";
import { decodeEntities, describeHtml } from "../../common/data/description.ts";
import { findPerson, withWriters } from "../../common/data/people-reads.ts";
import type { Authored } from "../../common/data/schema.ts";
import { type Article, articles as kind } from "../../common/kinds/articles.ts";
import { renderJob } from "../../common/kinds/kind-definition.ts";
import type { Render } from "../rendering/renderer.ts";
import { escapeXml } from "../xml.ts";
import { type AtomEntry, type AtomFeed, writeAtom } from "./atom.ts";

const ARTICLES = { columns: `*,${AUTHOR}`, limit: 50 };

export function createAtomFeeds(data: DataClient, render: Render, url: (path: string) => string) {
  async function writeFeed(head: Omit<AtomFeed, "entries">, ownerId?: string) {
    const newestOnes = await newest<Authored<Article>>(data, kind, { ...ARTICLES, ownerId });
    const articles = await withWriters(data, kind, newestOnes);
    const jobs = articles.flatMap((article) => renderJob(kind, article) ?? []);
    const rendered = await render(jobs);
    const entries = articles.map((article, index): AtomEntry => {
      const address = url(itemPath(kind, article.id));
      const html = rendered[index] ?? "";
      return {
        uuid: article.id,
        title: article.title,
        url: address,
        published: article.created_at,
        updated: article.updated_at ?? article.created_at,
        author: {
          name: authorName(article.profiles),
          url: url(personPath(article.profiles.slug)),
        },
        html: htmlForFeed(html, address),
        excerpt: describeHtml(html),
      };
    });
    return writeAtom({ ...head, entries });
  }

  return {
    async ofSite(siteTitle: string) {
      return writeFeed({
        uuid: v5(url("/feed.xml"), v5.URL),
        title: `Articles · ${siteTitle}`,
        url: url("/"),
        selfUrl: url("/feed.xml"),
        author: { name: siteTitle, url: url("/") },
      });
    },
    async ofPerson(nameOrId: string, siteTitle: string) {
      const person = await findPerson(data, nameOrId);
      // `findPerson` also finds a person by id, but the feed of a person whose slug is their username exists only
      // there.
      if (person?.slug !== nameOrId) return null;
      const address = url(personPath(nameOrId));
      const name = authorName(person);
      const head = {
        uuid: person.id,
        title: `${name} · ${siteTitle}`,
        url: address,
        selfUrl: `${address}/feed.xml`,
        author: { name, url: address },
      };
      return writeFeed(head, person.id);
    },
  };
}

/**
 * Makes URLs absolute and removes buttons, because feed readers show the HTML outside the site. Relies on our renderer:
 * attributes are in double quotes, quotes in text are escaped, and all buttons are ours.
 */
export function htmlForFeed(html: string, base: string): string {
  const text = html.replace(/<button.*?<\/button>/g, "");
  return text.replace(/ (href|src)="([^"]+)"/g, (whole, name: string, value: string) => {
    const address = URL.parse(decodeEntities(value), base);
    return address ? ` ${name}="${escapeXml(address.href)}"` : whole;
  });
}
