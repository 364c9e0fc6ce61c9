import type { Authored } from "../../data/schema.ts";

export interface Search {
  text: string;
  author: string;
  sort: "desc" | "asc";
}

export const EVERYTHING: Search = { text: "", author: "", sort: "desc" };

export function parseSearch(parameters: URLSearchParams): Search {
  // PostgreSQL refuses a NUL, which no field can be given and no text can hold.
  const read = (name: string) => parameters.get(name)?.replaceAll("\0", "") ?? "";
  return {
    text: read("q"),
    author: read("author"),
    sort: parameters.get("sort") === "asc" ? "asc" : "desc",
  };
}

export function formatSearch({ text, author, sort }: Search): string {
  const parameters = new URLSearchParams();
  if (text) parameters.set("q", text);
  if (author) parameters.set("author", author);
  if (sort !== EVERYTHING.sort) parameters.set("sort", sort);
  const query = parameters.toString();
  return query && `?${query}`;
}

/**
 * Removes differences of case from every code point by itself, so that the database can follow the same rule
 * (`extensions.fold_case`) and no letter depends on its neighbours (the Greek final sigma) or on a language.
 */
export function foldCase(text: string): string {
  // Two letters know a context or grow when their case changes; the rest of the text is right as it is.
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

interface Dated {
  id: string;
  created_at: string;
}

/**
 * What matches, in order: a case-insensitive substring of any field AND of the author's full name or username, then by
 * date of creation (specification §5); items of the same instant stand by id, so that the order is always the same.
 */
export function searchItems<Row extends Dated>(
  items: readonly Authored<Row>[],
  fields: readonly (keyof Row & string)[],
  search: Search,
): Authored<Row>[] {
  const text = foldCase(search.text);
  const author = foldCase(search.author);
  const contains = (value: unknown, part: string) =>
    typeof value === "string" && foldCase(value).includes(part);
  const found = items.filter(
    (item) =>
      (text === "" || fields.some((field) => contains(item[field], text))) &&
      (author === "" ||
        contains(item.profiles?.full_name, author) ||
        contains(item.profiles?.username, author)),
  );
  return found.sort(search.sort === "asc" ? oldestFirst : newestFirst);
}

function newestFirst(a: Dated, b: Dated): number {
  return compare(b.created_at, a.created_at) || compare(a.id, b.id);
}

function oldestFirst(a: Dated, b: Dated): number {
  return compare(a.created_at, b.created_at) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
