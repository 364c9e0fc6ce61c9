import { isUuid } from "../../data/addresses.ts";
import { authorName, type Writer } from "../../data/author.ts";
import { type ContentRow, ownerOf, readItem } from "../../data/content-reads.ts";
import { describeHtml, toDescription } from "../../data/description.ts";
import { findPerson, moreBy } from "../../data/people-reads.ts";
import type { Authored, Profile } from "../../data/schema.ts";
import type { PageContext } from "../../site.ts";
import { type CardData, type ContentKind, htmlKeyOf, type ListKind } from "../kind.ts";

const MORE_ITEMS = 3;

export interface ItemData<Row extends ContentRow> {
  /** Without its long text, whose HTML a document has in its markup. */
  card: CardData<Row>;
  description: string;
  writer: Writer & Pick<Profile, "avatar_url" | "current_title" | "company" | "years_experience">;
  more: { id: string; title: string }[];
}

/** Null where no such item is. Throws ReadError. */
export async function loadItem<Row extends ContentRow, Values>(
  kind: ContentKind<Row, Values>,
  id: string,
  context: PageContext,
): Promise<ItemData<Row> | null> {
  if (!isUuid(id)) return null;
  const { data } = context;
  const item = (await readItem(data, kind.table, id)) as unknown as Authored<Row> | null;
  if (!item) return null;
  const ownerId = ownerOf(item);
  const [found, more, html] = await Promise.all([
    findPerson(data, ownerId),
    moreBy(data, { table: kind.table, ownerId, except: item.id, limit: MORE_ITEMS }),
    renderItem(kind, item, context),
  ]);
  const person = found?.person;
  const author = item.profiles && { ...item.profiles, segment: found?.segment ?? ownerId };
  return {
    card: {
      item: { ...item, profiles: author, ...(kind.rendered && { [kind.rendered.field]: undefined }) },
      ...(!context.isDocument && html !== undefined && { html }),
    },
    description: descriptionOf(item, html),
    writer: {
      name: authorName(item.profiles),
      segment: found?.segment ?? ownerId,
      avatar_url: person?.avatar_url ?? null,
      current_title: person?.current_title ?? null,
      company: person?.company ?? null,
      years_experience: person?.years_experience ?? null,
    },
    more,
  };
}

async function renderItem(
  { rendered }: ListKind,
  item: ContentRow,
  { render, isDocument, renderedHtml }: PageContext,
): Promise<string | undefined> {
  if (!rendered) return undefined;
  const [html = ""] = await render([rendered.job(item, true)]);
  if (isDocument) renderedHtml.set(htmlKeyOf(item.id, true), html);
  return html;
}

function descriptionOf(item: Authored<ContentRow>, html: string | undefined): string {
  const text = "description" in item ? toDescription(item.description ?? "") : describeHtml(html ?? "");
  return text || `${item.title}, by ${authorName(item.profiles)}`;
}
