import { v5 } from "uuid";
import { itemPath, personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import { columnOf, newest } from "../../common/data/content-reads.ts";
import { decodeEntities, describeHtml } from "../../common/data/description.ts";
import { findPerson, withAuthors } from "../../common/data/people-reads.ts";
import { type DataReader, type Filter, readInParts } from "../../common/data/reader.ts";
import type { Authored, ContentRow } from "../../common/data/schema.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { type KindDefinition, renderJob } from "../../common/kinds/kind-definition.ts";
import type { Render } from "../rendering/renderer.ts";
import { escapeXml } from "../xml.ts";
import { type AtomEntry, type AtomFeed, MAX_TEXT_BYTES, writeAtom } from "./atom.ts";

const ENTRIES = 50;
/** A feed of long articles is full after the first few batches. */
const BATCH = 10;

/** A kind of content that has a feed. */
export type FeedKind = KindDefinition & { feed: string };

export const FEED_KINDS = KINDS.filter((kind): kind is FeedKind => kind.feed !== undefined);

export function createAtomFeeds(data: DataReader, render: Render, url: (path: string) => string) {
  /** Returns the items' HTML by id. Stops reading once the feed is full. */
  async function renderTexts(kind: FeedKind, ids: string[]): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    let bytes = 0;
    for (let first = 0; first < ids.length && bytes <= MAX_TEXT_BYTES; first += BATCH) {
      const batch = ids.slice(first, first + BATCH);
      const items = await readInParts<ContentRow>(batch.length, async (limit, { length }) => {
        const filters: Filter[] = [{ column: "id", test: "in", values: batch.slice(length, length + limit) }];
        return (await data.read<ContentRow>({ table: kind.table, columns: ["*"], filters })).rows;
      });
      const rendered = await render(items.flatMap((item) => renderJob(kind, item) ?? []));
      for (const [index, { id }] of items.entries()) {
        const html = rendered[index] ?? "";
        bytes += Buffer.byteLength(html);
        texts.set(id, html);
      }
    }
    return texts;
  }

  async function writeFeed(kind: FeedKind, head: Omit<AtomFeed, "entries">, ownerId?: string) {
    const columns = ["id", "title", "created_at", kind.ownerColumn];
    if (kind.hasUpdatedAt) columns.push("updated_at");
    const query = { columns, withAuthor: true, limit: ENTRIES, ownerId };
    const newestOnes = await newest<Authored<ContentRow>>(data, kind, query);
    const items = await withAuthors(data, kind, newestOnes);
    const texts = await renderTexts(
      kind,
      items.map(({ id }) => id),
    );
    const entries = items.map((item): AtomEntry => {
      const address = url(itemPath(kind, item));
      const html = texts.get(item.id);
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
        html: html && htmlForFeed(html, address),
        summary:
          html === undefined ? `${kind.itemName} by ${authorName(item.profiles)}.` : describeHtml(html),
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
      // `findPerson` accepts the id too, but a feed has only one URL: the slug's.
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
