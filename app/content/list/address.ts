import type { ContentTable, Position } from "../../data/content-reads.ts";
import { formatSearch, parseSearch, type Search } from "../search.ts";

/** What a browser may ask of a list beyond its first page. */
export type ListRequest =
  | { ask: "whole" }
  | { ask: "stretch"; search: Search; after: Position | null; offset: number }
  | { ask: "count"; search: Search }
  | { ask: "place"; search: Search; id: string };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Takes the value of `after`, returns the position it names; null when it names none. */
export function parsePosition(value: string | null): Position | null {
  const [createdAt = "", id = ""] = value?.split("~") ?? [];
  return TIME.test(createdAt) && UUID.test(id) ? { createdAt, id } : null;
}

/** Takes a position, returns the value of `after` that names it. */
export function formatPosition({ createdAt, id }: Position): string {
  return `${createdAt}~${id}`;
}

/** Takes a table and what is asked of its list, returns the address that answers it as JSON. */
export function listAddress(table: ContentTable, request: ListRequest): string {
  const parameters = new URLSearchParams("search" in request ? formatSearch(request.search) : "");
  parameters.set("ask", request.ask);
  if (request.ask === "place") parameters.set("id", request.id);
  if (request.ask === "stretch") {
    if (request.after) parameters.set("after", formatPosition(request.after));
    else if (request.offset) parameters.set("offset", String(request.offset));
  }
  return `/lists/${table}?${parameters}`;
}

/** Takes the query of such an address, returns what it asks; null when it asks nothing that we know. */
export function parseListRequest(parameters: URLSearchParams): ListRequest | null {
  const search = parseSearch(parameters);
  const id = parameters.get("id") ?? "";
  switch (parameters.get("ask")) {
    case "whole":
      return { ask: "whole" };
    case "count":
      return { ask: "count", search };
    case "place":
      return UUID.test(id) ? { ask: "place", search, id } : null;
    case "stretch": {
      const offset = Number(parameters.get("offset") ?? 0);
      if (!Number.isSafeInteger(offset) || offset < 0) return null;
      return { ask: "stretch", search, after: parsePosition(parameters.get("after")), offset };
    }
    default:
      return null;
  }
}
