import { v5 } from "uuid";
import { itemPath, personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import type { DataClient } from "../../common/data/client.ts";
import { AUTHOR, columnOf, newest } from "../../common/data/content-reads.ts";
import { decodeEntities, describeHtml } from "../../common/data/description.ts";
import { findPerson, withWriters } from "../../common/data/people-reads.ts";
import type { Authored, ContentRow } from "../../common/data/schema.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { type KindDefinition, renderJob } from "../../common/kinds/kind-definition.ts";
import type { Render } from "../rendering/renderer.ts";
import { escapeXml } from "../xml.ts";
import { type AtomEntry, type AtomFeed, writeAtom } from "./atom.ts";

const ENTRIES = { columns: `*,${AUTHOR}`, limit: 50 };

/** A kind of content that has a feed. */
export type FeedKind = KindDefinition & { feed: string };

export const FEED_KINDS = KINDS.filter((kind): kind is FeedKind => kind.feed !== undefined);

export function createAtomFeeds(data: DataClient, render: Render, url: (path: string) => string) {
  async function writeFeed(kind: FeedKind, head: Omit<AtomFeed, "entries">, ownerId?: string) {
    const newestOnes = await newest<Authored<ContentRow>>(data, kind, { ...ENTRIES, ownerId });
    const items = await withWriters(data, kind, newestOnes);
    const rendered = await render(items.flatMap((item) => renderJob(kind, item) ?? []));
    const entries = items.map((item, index): AtomEntry => {
      const address = url(itemPath(kind, item.id));
      const html = rendered[index] ?? "";
      return {
        uuid: item.id,
        title: item.title,
        url: address,
        published: item.created_at,
        updated: String(columnOf(item, "updated_at") ?? item.created_at),
        author: {
          name: authorName(item.profiles),
          url: url(personPath(item.profiles.slug)),
        },
        html: htmlForFeed(html, address),
        excerpt: describeHtml(html),
      };
    });
    return writeAtom({ ...head, entries });
  }

  return {
    async ofSite(kind: FeedKind, siteTitle: string) {
      return writeFeed(kind, {
        uuid: v5(url(kind.feed), v5.URL),
        title: `${kind.name} · ${siteTitle}`,
        url: url("/"),
        selfUrl: url(kind.feed),
        author: { name: siteTitle, url: url("/") },
      });
    },
    async ofPerson(kind: FeedKind, nameOrId: string, siteTitle: string) {
      const person = await findPerson(data, nameOrId);
      // `findPerson` also finds a person by id, but the feed of a person whose slug is their username exists only
      // there.
      if (person?.slug !== nameOrId) return null;
      const address = url(personPath(nameOrId));
      const name = authorName(person);
      const head = {
        uuid: v5(kind.feed, person.id),
        title: `${name} · ${kind.name} · ${siteTitle}`,
        url: address,
        selfUrl: address + kind.feed,
        author: { name, url: address },
      };
      return writeFeed(kind, head, person.id);
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
