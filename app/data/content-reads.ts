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

/** Finds what specification §5 finds (`public.search_content`). Throws ReadError. */
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

export async function readItem(
  client: DataClient,
  table: ContentTable,
  id: string,
): Promise<Authored<ContentRow> | null> {
  const answer = await client.from(table).select("*,profiles(username,full_name)").eq("id", id);
  const rows = rowsOf(answer as { data: Authored<ContentRow>[] | null; error: typeof answer.error });
  return rows[0] ?? null;
}

export async function isLongerThan(client: DataClient, table: ContentTable, rows: number): Promise<boolean> {
  const answer = await client.from(table).select("id").order("created_at").range(rows, rows);
  return rowsOf(answer as { data: { id: string }[] | null; error: typeof answer.error }).length > 0;
}
