import { byId, findSlugs, type ShownSkill } from "./people-reads.ts";
import type { DataReader } from "./reader.ts";
import type { Author, LinkedAuthor, Profile } from "./schema.ts";

export interface SearchQuery {
  text: string;
  /** The name of a content table, `people`, or an empty string for everything. */
  kind: string;
  cursor: string | null;
  size: number;
}

/** A public item or, if it has no author, a person. */
interface Result<By, Person> {
  /** The name of the item's table, or `people`. */
  kind: string;
  id: string;
  created_at: string;
  /** The item's title or the person's name. */
  title: string;
  /** The title in parts, like the excerpt. */
  title_parts: string[];
  /** The text around the first hit, in parts. Every second part, starting with the second, is a hit. */
  excerpt: string[];
  author: By | null;
  person: Person | null;
}

type Named = Author & { id: string };

interface FoundPerson extends Pick<Profile, "username" | "avatar_url" | "current_title" | "company"> {
  /** At most eight skills. Those that match the search come first. */
  skills: ShownSkill[];
}

export type SearchResult = Result<LinkedAuthor, FoundPerson & { slug: string }>;

interface Found<Row> {
  results: Row[];
  /** The number of results of each kind, counted up to one more than `MAX_COUNT`. */
  counts: Record<string, number>;
  /** The cursor of the next page. Null at the end of the list. */
  next: string | null;
  /** The cursor at which the search has stopped because it has reached its budget, and how far back it has looked. */
  older: string | null;
  searched: string | null;
  /** If nothing has all words: up to ten results that have most of them. */
  partial: Row[];
  /** If nothing has all words: the search with similar words instead of those that are found nowhere. */
  suggestion: string | null;
}

/** Numbers of results are exact up to this one. */
export const MAX_COUNT = 100;

/** Finds public items and people by all words of the text (`public.search_everything`). */
export async function searchEverything(
  reader: DataReader,
  { text, kind, cursor, size }: SearchQuery,
): Promise<Found<SearchResult>> {
  const query = {
    search_text: text,
    search_kind: kind,
    ...(cursor !== null && { page_cursor: cursor }),
    page_size: size,
  };
  const [found] = await reader.call<Found<Result<Named, FoundPerson>>>({
    function: "search_everything",
    arguments: query,
  });
  if (!found)
    return {
      results: [],
      counts: {},
      next: null,
      older: null,
      searched: null,
      partial: [],
      suggestion: null,
    };
  const { results, partial } = found;
  const people = [...results, ...partial].flatMap(
    ({ id, author, person }) => author ?? (person ? { ...person, id } : []),
  );
  const slugOf = await findSlugs(reader, people).catch(() => byId);
  const withSlug = (result: Result<Named, FoundPerson>) => {
    const { id, author, person } = result;
    return {
      ...result,
      author: author && { ...author, slug: slugOf(author) },
      person: person && { ...person, slug: slugOf({ ...person, id }) },
    };
  };
  return { ...found, results: results.map(withSlug), partial: partial.map(withSlug) };
}
