import { createHash } from "node:crypto";
import type { ContentRow } from "../../data/content-reads.ts";
import { findSegments } from "../../data/people-reads.ts";
import type { Authored } from "../../data/schema.ts";
import type { PageContext } from "../../site.ts";
import type { ListKind } from "../kind.ts";
import { type ListCard, VERSION_LENGTH } from "./page.ts";

/** Without its text a card is what a reader needs; with it, what the browser can search. */
export async function toCards<Row extends ContentRow>(
  { rendered, owner }: ListKind<Row>,
  items: Authored<Row>[],
  { data, render }: PageContext,
  { withText = false } = {},
): Promise<ListCard<Row>[]> {
  const idOf = (item: Row) => item[owner] as string;
  const authors = items.map((item) => ({ id: idOf(item), username: item.profiles?.username ?? null }));
  const [html, segments] = await Promise.all([
    rendered ? render(items.map((item) => rendered.job(item))) : [],
    // Everybody's page is found by their id as well.
    findSegments(data, authors).catch(() => new Map<string, string>()),
  ]);
  return items.map((row, index) => {
    const segment = segments.get(idOf(row)) ?? idOf(row);
    const item = { ...row, profiles: row.profiles && { ...row.profiles, segment } };
    const version = createHash("sha1")
      .update(JSON.stringify(item))
      .digest("base64url")
      .slice(0, VERSION_LENGTH);
    if (!rendered) return { item, version };
    const shown = withText ? item : { ...item, [rendered.field]: undefined };
    return { item: shown, html: html[index] ?? "", version };
  });
}
