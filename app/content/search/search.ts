import type { Author } from "../../data/schema.ts";

export interface Search {
  text: string;
  author: string;
  sort: "desc" | "asc";
}

export const EVERYTHING: Search = { text: "", author: "", sort: "desc" };

export function parseSearch(parameters: URLSearchParams): Search {
  // PostgreSQL refuses a NUL, which no field can be given and no text can hold.
  const read = (name: string) => parameters.get(name)?.replaceAll("\0", "") ?? "";
  return { text: read("q"), author: read("author"), sort: read("sort") === "asc" ? "asc" : "desc" };
}

export function formatSearch({ text, author, sort }: Search): string {
  const parameters = new URLSearchParams();
  if (text) parameters.set("q", text);
  if (author) parameters.set("author", author);
  if (sort !== EVERYTHING.sort) parameters.set("sort", sort);
  return parameters.size > 0 ? `?${parameters}` : "";
}

/**
 * Removes differences of case from every code point by itself, so that the database can follow the same rule
 * (`extensions.fold_case`) and no letter depends on its neighbours (the Greek final sigma) or on a language.
 */
export function foldCase(text: string): string {
  // Two letters know a context or grow when their case changes; the rest of the text is right as it is.
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

interface Searched {
  id: string;
  created_at: string;
  profiles: Author;
}

/**
 * What matches, in order: a case-insensitive substring of any field AND of the author's full name or username, then by
 * date of creation (specification §5); items of the same instant stand by id, so that the order is always the same.
 */
export function searchCards<Card extends { item: Searched }>(
  cards: readonly Card[],
  fields: readonly string[],
  { text, author, sort }: Search,
): Card[] {
  const holds = (part: string, row: object | null, names: readonly string[]) =>
    part === "" ||
    names.some((name) => {
      const value = (row as Record<string, unknown> | null)?.[name];
      return typeof value === "string" && foldCase(value).includes(part);
    });
  const [part, name] = [foldCase(text), foldCase(author)];
  const direction = sort === "asc" ? 1 : -1;
  return cards
    .filter(({ item }) => holds(part, item, fields) && holds(name, item.profiles, ["full_name", "username"]))
    .sort(
      ({ item: a }, { item: b }) => direction * compare(a.created_at, b.created_at) || compare(a.id, b.id),
    );
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
