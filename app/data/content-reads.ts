import { rowsOf } from "./answer.ts";
import type { DataClient } from "./client.ts";
import {
  HAS_STRAY_CAPITAL,
  mayStandForStrayCapital,
  pairsToFind,
  withoutStrayCapitals,
} from "./letter-pairs.ts";
import type { Article, Authored, CodeSample, UsefulLink } from "./schema.ts";

export type ContentTable = "articles" | "useful_links" | "code_samples";

/** A row of any of the three content tables. */
export type ContentRow = Article | UsefulLink | CodeSample;

/** Where an item stands in a list that is ordered by time of creation. */
export interface Position {
  createdAt: string;
  id: string;
}

/** Which rows of a content table, in which order. */
export interface ContentQuery {
  table: ContentTable;
  /** The fields of which one must contain `text`, and what the author's name must contain; empty finds all. */
  fields: readonly string[];
  text: string;
  author: string;
  sort: "desc" | "asc";
  /** The column that names the author. */
  owner: "author_id" | "profile_id";
  /** Only what stands behind this item in that order. */
  after?: Position | undefined;
  /** Only what was made no later in that order than this time. */
  until?: string | undefined;
  /** Only what these authors made, in place of `author`. */
  authors?: string[] | undefined;
  /** How to come to the rows: one after the other in their order, or by the indexes of all texts; else as the planner thinks. */
  path?: "in-order" | "by-text" | undefined;
}

/** Hosted Supabase cuts a select at this many rows, so larger reads go in ranges. */
export const ROWS_PER_READ = 1000;

/** The names by which an author is found (specification §5). */
const NAMES = ["full_name", "username"];

/** Addresses have an end; this many letters of any script leave room for the rest. */
const LONGEST_PATTERN = 100;

/** Returns what the database is asked for: a text's beginning, in letters that every database knows. */
function lookedFor(text: string): string {
  const beginning = Array.from(text.slice(0, 2 * LONGEST_PATTERN)).slice(0, LONGEST_PATTERN);
  return withoutStrayCapitals(beginning.join(""));
}

/**
 * Takes fields, a text and the way to the rows; returns conditions in PostgREST's `or`, which hold together where a field
 * contains the text. What an index answers stands by itself, so that it is not made out again for each row found.
 */
function containing(fields: readonly string[], text: string, path: ContentQuery["path"]): string[] {
  const inRow = fields.map((field) => containsInRow(field, text)).join();
  if (path === "in-order") return [inRow];
  return [fields.map((field) => foundByIndex(field, text)).join(), inRow];
}

/** Returns the condition that a field contains the text, for a test row by row. */
function containsInRow(field: string, text: string): string {
  // No index of PostgreSQL serves 'all', even of one pattern.
  return exactly(field, text, `${field}.ilike(all).${quoted(`{${patternOf(text)}}`)}`);
}

/** Returns the conditions of which one holds where a field contains the text, as far as an index can tell. */
function foundByIndex(field: string, text: string): string {
  const holds = (pairs: string[]) => `${field}.cs.${quoted(arrayOf(pairs))}`;
  const pairs = pairsToFind(lookedFor(text));
  if (pairs.length > 0) return holds(pairs);
  const byTrigrams = `${field}.ilike.${patternOf(text)}`;
  // Not every database counts these capitals among the letters that its trigrams are made of.
  return mayStandForStrayCapital(text) ? `${byTrigrams},${holds([HAS_STRAY_CAPITAL])}` : byTrigrams;
}

/** Adds to a condition what its pattern cannot say, by the operator that `extensions.holds_text` has. */
function exactly(field: string, text: string, pattern: string): string {
  if (!UNSAYABLE.test(text)) return pattern;
  return `and(${pattern},${field}.ov.${quoted(arrayOf([lookedFor(text)]))})`;
}

/**
 * What no pattern can say, and is any character in it: PostgREST reads every `*` as `%` and knows no escape for it, and
 * PostgreSQL takes the sigma at the end of a word for another letter.
 */
const UNSAYABLE = /[*σςΣ]/;

/**
 * Takes a text, returns the `ilike` pattern for whatever contains it, quoted for a PostgREST `or`. It may find more:
 * what it cannot say, and of a very long text only the beginning is looked for.
 */
function patternOf(text: string): string {
  return quoted(
    `%${lookedFor(text)
      .replace(/[\\%_]/g, "\\$&")
      .replaceAll(new RegExp(UNSAYABLE, "g"), "_")}%`,
  );
}

function arrayOf(values: string[]): string {
  return `{${values.map(quoted).join()}}`;
}

function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, "\\$&")}"`;
}

function select(client: DataClient, query: ContentQuery, options?: { count: "exact"; head: true }) {
  const { table, fields, text, author, sort, owner, after, until, authors, path } = query;
  // Only an inner join drops the rows whose author does not match.
  const columns =
    author && !authors ? "*,profiles!inner(username,full_name)" : "*,profiles(username,full_name)";
  let rows = client.from(table).select(columns, options);
  if (text) for (const condition of containing(fields, text, path)) rows = rows.or(condition);
  if (authors) rows = rows.in(owner, authors);
  else if (author) {
    rows = rows.or(NAMES.map((name) => containsInRow(name, author)).join(), { referencedTable: "profiles" });
  }
  if (after) {
    const beyond = sort === "asc" ? "gt" : "lt";
    const time = quoted(after.createdAt);
    // The first condition says nothing new, but an index can begin there.
    rows = rows.filter("created_at", sort === "asc" ? "gte" : "lte", after.createdAt);
    rows = rows.or(`created_at.${beyond}.${time},and(created_at.eq.${time},id.gt.${after.id})`);
  }
  if (until) rows = rows.filter("created_at", sort === "asc" ? "lte" : "gte", until);
  return rows;
}

/** A search looks at this many items first: whatever is common enough is found among them. */
const NEAR = 500;
const FEW_AUTHORS = 50;

/**
 * Takes a query and how many rows, from which offset; returns them with their authors, in order, items of the
 * same instant by id. Some texts find more than themselves: searchItems tells. Throws ReadError.
 */
export async function findContent(
  client: DataClient,
  query: ContentQuery,
  limit: number,
  offset = 0,
): Promise<Authored<ContentRow>[]> {
  const found = await nameAuthors(client, query);
  const isFilter = found.text !== "" || (found.author !== "" && !found.authors);
  if (!isFilter || offset > 0) return readRows(client, found, limit, offset);
  // The planner cannot know how common a text is where row-level security holds. So the common ones are looked
  // for nearby, row by row; what is not to be found there is rare, and collected by the index of all texts.
  const until = await reachOf(client, found);
  const near = await readRows(client, { ...found, until, path: "in-order" }, limit, 0);
  const isAnswer = near.length === limit || until === undefined;
  return isAnswer ? near : readRows(client, { ...found, path: "by-text" }, limit, 0);
}

/** A name that few authors have is looked up first, and their items are found by index. */
async function nameAuthors(client: DataClient, query: ContentQuery): Promise<ContentQuery> {
  if (query.author === "") return query;
  let rows = client.from("profiles").select("id");
  for (const condition of containing(NAMES, query.author, "by-text")) rows = rows.or(condition);
  const authors = rowsOf(await rows.limit(FEW_AUTHORS + 1)).map(({ id }) => id);
  return authors.length > FEW_AUTHORS ? query : { ...query, authors };
}

async function readRows(client: DataClient, query: ContentQuery, limit: number, offset: number) {
  const ascending = query.sort === "asc";
  // There are no nulls; but with them at this end the list's own index does not serve the order.
  const nulls = query.path === "by-text" ? { nullsFirst: ascending } : {};
  const answer = await select(client, query)
    .order("created_at", { ascending, ...nulls })
    .order("id")
    .range(offset, offset + limit - 1);
  return rowsOf(answer as { data: Authored<ContentRow>[] | null; error: typeof answer.error });
}

/** How far the nearest items of each list reached when somebody asked last, and when he asked. */
const reaches = new Map<string, { until: string | undefined; askedAt: number }>();
/** After so long it is asked again, behind the search that needs it; and after so long before it. */
const FRESH_MS = 10_000;
const REMEMBERED_MS = 60_000;

/**
 * Returns when the last of the nearest items was made, or nothing when they are the whole list. From the list's own
 * beginning it may be a minute old: what it leaves out is still found, by the longer way.
 */
async function reachOf(client: DataClient, query: ContentQuery): Promise<string | undefined> {
  if (query.after) return timeOfPlace(client, query, NEAR);
  const key = `${query.table} ${query.sort}`;
  const known = reaches.get(key);
  const age = known ? performance.now() - known.askedAt : Number.POSITIVE_INFINITY;
  if (known && age < FRESH_MS) return known.until;
  const asked = timeOfPlace(client, query, NEAR).then((until) => {
    reaches.set(key, { until, askedAt: performance.now() });
    return until;
  });
  if (!known || age > REMEMBERED_MS) return asked;
  // The search itself tells when the database cannot be read.
  asked.catch(() => undefined);
  return known.until;
}

/** Returns when the item was made that stands so many places further on, whatever is searched; nothing behind the end. */
async function timeOfPlace(client: DataClient, { table, sort, after }: ContentQuery, places: number) {
  let rows = client.from(table).select("created_at");
  if (after) rows = rows.filter("created_at", sort === "asc" ? "gte" : "lte", after.createdAt);
  const answer = await rows
    .order("created_at", { ascending: sort === "asc" })
    .order("id")
    .range(places, places);
  return rowsOf(answer as { data: { created_at: string }[] | null; error: typeof answer.error })[0]
    ?.created_at;
}

/** Takes a query, returns how many rows match it. Throws ReadError. */
export async function countContent(client: DataClient, query: ContentQuery): Promise<number> {
  const { count, error } = await select(client, await nameAuthors(client, query), {
    count: "exact",
    head: true,
  });
  rowsOf({ data: [], error });
  return count ?? 0;
}

/** Takes a table and a number, returns whether the table holds more rows than that. Throws ReadError. */
export async function isLongerThan(client: DataClient, table: ContentTable, rows: number): Promise<boolean> {
  const answer = await client.from(table).select("id").order("created_at").range(rows, rows);
  return rowsOf(answer as { data: { id: string }[] | null; error: typeof answer.error }).length > 0;
}

/** Takes a table and an id, returns that row with its author, or null. Throws ReadError. */
export async function readItem(
  client: DataClient,
  table: ContentTable,
  id: string,
): Promise<Authored<ContentRow> | null> {
  const answer = await client.from(table).select("*,profiles(username,full_name)").eq("id", id);
  const rows = rowsOf(answer as { data: Authored<ContentRow>[] | null; error: typeof answer.error });
  return rows[0] ?? null;
}
