import { rowsOf } from "./answer.ts";
import type { DataClient } from "./client.ts";
import type { Authored, ContentRow } from "./schema.ts";

/** What reads and writes need to know about a kind of content. Its definition in `content/kinds` says it. */
export interface ContentTable {
  table: string;
  /** The column with the id of the member whom the row belongs to. */
  owner: string;
  /** Whether only rows whose `published` is true appear outside their list and their own page. */
  isPublishable: boolean;
  /** Whether rows have `updated_at`, which every save sets (specification §7, call 16). */
  isStamped: boolean;
  /** The column shown next to the title where only titles are listed. */
  entryColumn: string;
}

/** A column that only some kinds of content have. */
export const columnOf = (row: ContentRow, column: string): unknown =>
  (row as unknown as Record<string, unknown>)[column];

export const ownerOf = ({ owner }: Pick<ContentTable, "owner">, row: ContentRow): string =>
  String(columnOf(row, owner));

export interface ContentQuery {
  text: string;
  author: string;
  sort: "desc" | "asc";
  /** Only what stands behind this item; with `backwards` before it, the nearest first. */
  cursor: { createdAt: string; id: string } | null;
  backwards?: boolean;
  size: number;
}

/** Hosted Supabase cuts a select at this many rows, so larger reads go in ranges. */
export const ROWS_PER_READ = 1000;

/** An address holds at least so long a text, whatever its letters. */
const LONGEST_IN_ADDRESS = 300;
/** PostgREST takes an argument such as `eq.1` or `not.in.(a)` in an address for a filter. */
const LIKE_A_FILTER = /^[a-z]+[.(]/i;

/** Finds what specification §5 finds (`public.search_content`). */
export async function searchContent(
  client: DataClient,
  table: string,
  { text, author, sort, cursor, backwards = false, size }: ContentQuery,
): Promise<Authored<ContentRow>[]> {
  const query = {
    content_table: table,
    search_text: text,
    search_author: author,
    oldest_first: sort === "asc",
    ...(cursor && { cursor_time: cursor.createdAt, cursor_id: cursor.id }),
    backwards,
    page_size: size,
  };
  return callSearch(client, "search_content", query, [text, author]);
}

/** Calls a function by GET unless its texts rule that out. */
export async function callSearch<Row>(
  client: DataClient,
  name: string,
  query: object,
  texts: string[],
): Promise<Row[]> {
  const get = texts.join("").length <= LONGEST_IN_ADDRESS && !texts.some((text) => LIKE_A_FILTER.test(text));
  return rowsOf(await client.rpc(name, query, { get }));
}

export const AUTHOR = "profiles(username,full_name)";

export async function readItem<Row = Authored<ContentRow>>(
  client: DataClient,
  table: string,
  id: string,
  columns = `*,${AUTHOR}`,
): Promise<Row | null> {
  return rowsOf<Row>(await client.from(table).select(columns).eq("id", id))[0] ?? null;
}

/** Newest first, without unpublished ones. */
export async function newest<Row>(
  client: DataClient,
  { table, owner, isPublishable }: ContentTable,
  { columns, limit, ownerId }: { columns: string; limit: number; ownerId?: string | undefined },
): Promise<Row[]> {
  let rows = client.from(table).select(columns);
  if (isPublishable) rows = rows.eq("published", true);
  if (ownerId) rows = rows.eq(owner, ownerId);
  const response = await rows.order("created_at", { ascending: false }).order("id").limit(limit);
  // A backend may ignore the limit.
  return rowsOf<Row>(response).slice(0, limit);
}

/** An item of a list that shows only titles. */
export interface Entry {
  id: string;
  title: string;
  /** The value of the kind's `entryColumn`. */
  note: string;
}

const ENTRIES = 10;

export const newestEntries = (client: DataClient, kind: ContentTable, ownerId?: string) =>
  newest<Entry>(client, kind, { columns: `id,title,note:${kind.entryColumn}`, limit: ENTRIES, ownerId });
