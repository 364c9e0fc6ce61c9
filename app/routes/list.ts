import { data } from "react-router";
import { KINDS } from "../content/kinds/index.ts";
import { parseListRequest } from "../content/list/address.ts";
import { countMatches, findPlace, loadStretch, loadWhole } from "../content/list/load.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/list";

/**
 * Takes the request, returns as JSON what a page asks of its list beyond what the document carries: 400 for what is no
 * such question, 503 when the list cannot be read. Throws a 404 for a table that has no page.
 */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const kind = Object.hasOwn(KINDS, params.table) ? KINDS[params.table as keyof typeof KINDS] : undefined;
  if (!kind) throw data(null, { status: 404 });
  const request = parseListRequest(url.searchParams);
  if (!request) return Response.json({ message: "Unknown request" }, { status: 400 });

  const page = context.get(pageContext);
  try {
    switch (request.ask) {
      case "whole":
        return Response.json({ cards: await loadWhole(kind, page) });
      case "stretch":
        return Response.json(await loadStretch(kind, request.search, request, page));
      case "count":
        return Response.json({ count: await countMatches(kind, request.search, page) });
      case "place":
        return Response.json({ found: await findPlace(kind, request.search, request.id, page) });
    }
  } catch (error) {
    page.logFailure(`list.${params.table}`, error);
    return Response.json(
      { message: "The list cannot be read" },
      { status: 503, headers: { "Retry-After": "5" } },
    );
  }
}
