import type { ContentQuery } from "../../data/content-reads.ts";
import type { Authored, ContentRow } from "../../data/schema.ts";

export type Search = Pick<ContentQuery, "text" | "author" | "sort">;

export const EVERYTHING: Search = { text: "", author: "", sort: "desc" };

export function parseSearch(parameters: URLSearchParams): Search {
  // PostgreSQL refuses a NUL, which no field can be given and no text can hold.
  const read = (name: string) => parameters.get(name)?.replaceAll("\0", "") ?? "";
  return { text: read("q"), author: read("author"), sort: read("sort") === "asc" ? "asc" : "desc" };
}

/** `beside` are other parameters; what has no value is left out. */
export function formatSearch({ text, author, sort }: Search, beside: object = {}): string {
  const said = Object.entries({ q: text, author, sort: sort !== EVERYTHING.sort && sort, ...beside });
  const parameters = new URLSearchParams();
  for (const [name, value] of said) if (value) parameters.set(name, String(value));
  return parameters.size > 0 ? `?${parameters}` : "";
}

/** The rule of `extensions.fold_case`: each code point by itself, in any language, into as many UTF-16 units. */
export function foldCase(text: string): string {
  return text.replaceAll("İ", "i").toLowerCase().replaceAll("ς", "σ");
}

/** Specification §5. Items of the same instant stand by id, so that the order is always the same. */
export function searchCards<
  Card extends { item: Pick<Authored<ContentRow>, "id" | "created_at" | "profiles"> },
>(cards: readonly Card[], fields: readonly string[], { text, author, sort }: Search): Card[] {
  const holds = (part: string, row: object, names: readonly string[]) =>
    part === "" ||
    names.some((name) => foldCase(String((row as Record<string, unknown>)[name] ?? "")).includes(part));
  const [part, name] = [foldCase(text), foldCase(author)];
  const sign = sort === "asc" ? 1 : -1;
  return cards
    .filter(({ item }) => holds(part, item, fields) && holds(name, item.profiles, ["full_name", "username"]))
    .sort(({ item: a }, { item: b }) => sign * compare(a.created_at, b.created_at) || compare(a.id, b.id));
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
