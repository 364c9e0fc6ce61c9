import { type SearchResult, searchEverything } from "../../common/data/search-reads.ts";
import { kindOfTable } from "../../common/kinds/index.ts";
import { renderedColumn } from "../../common/kinds/kind-definition.ts";
import type { PageServices } from "../../common/page-services.ts";
import { failedList, type ListPage, type LoadedList } from "../list/loaded-list.ts";
import { parseCursor, readPages } from "../list/read-pages.server.ts";
import { type ExcerptFormat, plainExcerpt } from "./plain-excerpt.server.ts";
import {
  type EverythingSearch,
  formatEverythingSearch,
  parseEverythingSearch,
  SEARCHED_KINDS,
} from "./search.ts";

const RESULTS_PAGE_SIZE = 24;

/** The form of the cursors of `public.search_everything`, which rejects others. */
const CURSOR = /^[012]~(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6})~([0-9a-f-]{36})~[a-z_]+$/;

function isCursor(value: string): boolean {
  const [, time, id] = CURSOR.exec(value) ?? [];
  return parseCursor(`${time}Z~${id}`) !== null;
}

/**
 * Loads the pages of results that the URL requests: none without a search. If a read fails, logs the error and returns a
 * `failedList`.
 */
export async function loadResults(
  query: URLSearchParams,
  context: PageServices,
): Promise<{ list: LoadedList<SearchResult> }> {
  const search = parseEverythingSearch(query);
  const after = query.get("after");
  try {
    const start = after && isCursor(after) ? after : null;
    const pages = await readPages(start, query.get("pages"), (cursor) => readPage(search, cursor, context));
    return { list: { ...pages, query: formatEverythingSearch(search) } };
  } catch (error) {
    context.logFailure("search", error);
    return { list: failedList(formatEverythingSearch(search)) };
  }
}

async function readPage(
  { text, kind }: EverythingSearch,
  cursor: string | null,
  { data }: PageServices,
): Promise<ListPage<SearchResult>> {
  if (text === "") return { cards: [], next: null };
  const source = SEARCHED_KINDS[kind]?.source ?? "";
  const { results, counts, next, older, searched, partial, suggestion } = await searchEverything(data, {
    text,
    kind: source,
    cursor,
    size: RESULTS_PAGE_SIZE,
  });
  const notes = {
    older: older !== null && searched !== null ? { after: older, time: searched } : null,
    partial: partial.map(withPlainExcerpt),
    suggestion,
  };
  return { cards: results.map(withPlainExcerpt), counts, next, notes };
}

const withPlainExcerpt = (result: SearchResult): SearchResult => ({
  ...result,
  excerpt: plainExcerpt(result.excerpt, formatOf(result)),
});

function formatOf({ person, kind: table }: SearchResult): ExcerptFormat {
  if (person !== null) return "text";
  const kind = kindOfTable(table);
  const type = kind.columns[renderedColumn(kind) ?? ""]?.type;
  return type === "markdown" || type === "code" ? type : "text";
}
