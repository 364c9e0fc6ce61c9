import { rowsOf } from "./answer.ts";
import type { DataClient } from "./client.ts";
import type { Article, Authored, CodeSample, UsefulLink } from "./schema.ts";

export type ContentTable = "articles" | "useful_links" | "code_samples";

export type ContentRow = Article | UsefulLink | CodeSample;

export const OWNERS = {
  articles: "author_id",
  useful_links: "profile_id",
  code_samples: "profile_id",
} as const;

export const ownerOf = (row: ContentRow) => ("author_id" in row ? row.author_id : row.profile_id);

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
  table: ContentTable,
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
  const get =
    text.length + author.length <= LONGEST_IN_ADDRESS &&
    ![text, author].some((each) => LIKE_A_FILTER.test(each));
  return rowsOf(await client.rpc("search_content", query, { get }));
}

export const AUTHOR = "profiles(username,full_name)";

export async function readItem<Row = Authored<ContentRow>>(
  client: DataClient,
  table: ContentTable,
  id: string,
  columns = `*,${AUTHOR}`,
): Promise<Row | null> {
  return rowsOf<Row>(await client.from(table).select(columns).eq("id", id))[0] ?? null;
}

/** Newest first, of articles the published ones alone. */
export async function newest<Row>(
  client: DataClient,
  table: ContentTable,
  { columns, limit, ownerId }: { columns: string; limit: number; ownerId?: string | undefined },
): Promise<Row[]> {
  let rows = client.from(table).select(columns);
  if (table === "articles") rows = rows.eq("published", true);
  if (ownerId) rows = rows.eq(OWNERS[table], ownerId);
  const answer = await rows.order("created_at", { ascending: false }).order("id").limit(limit);
  // A backend may ignore the limit.
  return rowsOf<Row>(answer).slice(0, limit);
}

/** An item where only its title is shown, and what stands beside that. */
export interface Entry {
  id: string;
  title: string;
  created_at?: string;
  category?: string;
  language?: string;
}

const BESIDE_TITLE = { articles: "created_at", useful_links: "category", code_samples: "language" };
const ENTRIES = 10;

export const newestEntries = (client: DataClient, table: ContentTable, ownerId?: string) =>
  newest<Entry>(client, table, { columns: `id,title,${BESIDE_TITLE[table]}`, limit: ENTRIES, ownerId });

export async function isLongerThan(client: DataClient, table: ContentTable, rows: number): Promise<boolean> {
  return rowsOf(await client.from(table).select("id").order("created_at").range(rows, rows)).length > 0;
}
