import { itemDigits } from "./addresses.ts";
import {
  type DataReader,
  type Filter,
  type FunctionCall,
  readFitting,
  readInParts,
  type TableRead,
} from "./reader.ts";
import type { Authored, ContentRow } from "./schema.ts";

/** The part of a kind's definition (`common/kinds`) that reads and writes need. */
export interface ContentTable {
  table: string;
  /** The column with the owner's id. */
  ownerColumn: string;
  /** Whether rows have a `published` column. Visitors see unpublished rows only in their kind's list and at their URLs. */
  isPublishable: boolean;
  /** Whether rows have `updated_at`. Saves send it (specification §7, call 16), but a trigger replaces it. */
  hasUpdatedAt: boolean;
  /** The column shown next to the title in lists of titles. */
  noteColumn: string;
}

/** Returns the value of a column that only some kinds of content have. */
export const columnOf = (row: ContentRow, column: string): unknown =>
  (row as unknown as Record<string, unknown>)[column];

export const ownerOf = ({ ownerColumn }: Pick<ContentTable, "ownerColumn">, row: ContentRow): string =>
  String(columnOf(row, ownerColumn));

export interface ContentQuery {
  text: string;
  author: string;
  sort: "desc" | "asc";
  /** If set, only items after this position are returned or, with `backwards`, items before it, nearest first. */
  cursor: { createdAt: string; id: string } | null;
  backwards?: boolean;
  size: number;
  /** If set, articles and code are cut after this number of characters. */
  textLimit?: number;
}

export interface FoundContent {
  items: Authored<ContentRow>[];
  /** The position at which the search has stopped because it has reached its budget. */
  older: { created_at: string; id: string } | null;
}

/** The call that searches a kind of content (specification §5). */
export function searchCall(
  table: string,
  { text, author, sort, cursor, backwards = false, size, textLimit }: ContentQuery,
): FunctionCall {
  return {
    function: "search_items",
    arguments: {
      content_table: table,
      search_text: text,
      search_author: author,
      oldest_first: sort === "asc",
      backwards,
      ...(cursor && { cursor_time: cursor.createdAt, cursor_id: cursor.id }),
      page_size: size,
      ...(textLimit !== undefined && { text_limit: textLimit }),
    },
  };
}

/**
 * Whether a call searches a list for a text that no index can serve, because it has no three letters or digits in a row (a
 * trigram). If few items contain the text, the database reads the texts of all items.
 */
export function isSlowSearch(call: FunctionCall | undefined): boolean {
  if (call?.function !== "search_items") return false;
  const { search_text: text = "" } = call.arguments;
  return text.trim() !== "" && !/[\p{L}\p{N}]{3}/u.test(text);
}

/** Searches a kind of content. Reads a page in several parts if one response would be too large. */
export async function searchContent(
  reader: DataReader,
  table: string,
  query: ContentQuery,
): Promise<FoundContent> {
  const { size } = query;
  const found: FoundContent = { items: [], older: null };
  while (found.items.length < size) {
    const last = found.items.at(-1);
    const cursor = last ? { createdAt: last.created_at, id: last.id } : query.cursor;
    const part = await readFitting(size - found.items.length, (count) =>
      reader.call<FoundContent>(searchCall(table, { ...query, cursor, size: count })),
    );
    const [{ items, older } = { items: [], older: null }] = part.rows;
    found.items.push(...items);
    found.older = older;
    if (items.length < part.count) break;
  }
  return found;
}

export async function readItem<Row = Authored<ContentRow>>(
  reader: DataReader,
  table: string,
  id: string,
  selected: Pick<TableRead, "columns" | "withAuthor"> = { columns: ["*"], withAuthor: true },
): Promise<Row | null> {
  const filters: Filter[] = [{ column: "id", test: "eq", value: id }];
  const [row] = (await reader.read<Row>({ table, ...selected, filters })).rows;
  return row ?? null;
}

/**
 * Returns the item with the address `segment` and the displayed columns of its author's profile (`public.find_item`).
 * Returns null if there is none.
 */
export async function findItem<Row = Authored<ContentRow>>(
  reader: DataReader,
  table: string,
  segment: string,
): Promise<Row | null> {
  const digits = itemDigits(segment);
  if (digits === null) return null;
  const [row] = await reader.call<Row>({
    function: "find_item",
    arguments: { content_table: table, digits },
  });
  return row ?? null;
}

interface NewestQuery extends Pick<TableRead, "columns" | "renamed" | "withAuthor"> {
  limit: number;
  ownerId?: string | undefined;
}

/** Returns the latest public rows, newest first. */
export async function newest<Row>(
  reader: DataReader,
  { table, ownerColumn, isPublishable }: ContentTable,
  { limit, ownerId, ...selected }: NewestQuery,
): Promise<Row[]> {
  const filters: Filter[] = [];
  if (isPublishable) filters.push({ column: "published", test: "eq", value: true });
  if (ownerId) filters.push({ column: ownerColumn, test: "eq", value: ownerId });
  const order = [{ column: "created_at", descending: true }, "id"] as const;
  const rows = await readInParts<Row>(limit, async (size, { length }) => {
    const page = { ...selected, table, filters, order, limit: size, offset: length };
    return (await reader.read<Row>(page)).rows;
  });
  // Cut the rows again, in case a backend ignores the limit.
  return rows.slice(0, limit);
}

/** An item in a list that shows only titles. */
export interface ItemTitle {
  id: string;
  title: string;
  /** The value of the kind's `noteColumn`. */
  note: string;
  /** Only if a read asks for it: the web address that the item is about. */
  address?: string;
}

const TITLES = 10;

export const newestTitles = (
  reader: DataReader,
  kind: ContentTable,
  ownerId?: string,
  addressColumn?: string,
) =>
  newest<ItemTitle>(reader, kind, {
    columns: ["id", "title"],
    renamed: { note: kind.noteColumn, ...(addressColumn && { address: addressColumn }) },
    limit: TITLES,
    ownerId,
  });
