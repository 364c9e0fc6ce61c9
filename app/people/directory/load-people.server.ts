import { isUuid } from "../../../common/data/addresses.ts";
import { type ListedPerson, searchPeople } from "../../../common/data/people-reads.ts";
import type { PageServices } from "../../../common/page-services.ts";
import { failedList, type ListPage, type LoadedList } from "../../list/loaded-list.ts";
import { readPages } from "../../list/read-pages.server.ts";
import { formatPeopleSearch, type PeopleSearch, parsePeopleSearch } from "./people-search.ts";

export const PEOPLE_PAGE_SIZE = 24;

/** Loads the directory's pages that the URL requests. If a read fails, logs the error and returns a `failedList`. */
export async function loadPeople(
  query: URLSearchParams,
  context: PageServices,
): Promise<{ list: LoadedList<ListedPerson> }> {
  const search = parsePeopleSearch(query);
  const after = query.get("after");
  try {
    const start = parseCursor(after, search.sort) && after;
    const pages = await readPages(start, query.get("pages"), (cursor) => readPage(search, cursor, context));
    return { list: { ...pages, query: formatPeopleSearch(search) } };
  } catch (error) {
    context.logFailure("people", error);
    return { list: failedList(formatPeopleSearch(search)) };
  }
}

async function readPage(
  search: PeopleSearch,
  after: string | null,
  { data }: PageServices,
): Promise<ListPage<ListedPerson>> {
  const query = { ...search, cursor: parseCursor(after, search.sort), size: PEOPLE_PAGE_SIZE + 1 };
  const people = await searchPeople(data, query);
  const cards = people.slice(0, PEOPLE_PAGE_SIZE);
  const last = cards.at(-1);
  return { cards, next: last && people.length > cards.length ? `${last.sort_key}~${last.id}` : null };
}

/** Returns null for a cursor that `public.search_people` would reject. */
function parseCursor(value: string | null, sort: PeopleSearch["sort"]): { key: string; id: string } | null {
  const end = value?.lastIndexOf("~") ?? -1;
  const [key, id] = [value?.slice(0, end).replaceAll("\0", ""), value?.slice(end + 1)];
  const isKey = key && (sort === "name" || /^(\d\d|none)$/.test(key));
  return isKey && id && isUuid(id) ? { key, id } : null;
}
