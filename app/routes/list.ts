import { KINDS } from "../content/kinds/index.ts";
import { answerList } from "../content/list/list.server.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/list";

/** What a page asks of its list beyond what the document carries, as JSON. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const kind = KINDS.find(({ table }) => table === params.table);
  if (!kind) return new Response("Not Found\n", { status: 404 });
  const page = context.get(pageContext);
  try {
    return Response.json(await answerList(kind, url.searchParams, page));
  } catch (error) {
    page.logFailure(`list.${params.table}`, error);
    return Response.json({ message: "The list cannot be read" }, { status: 503 });
  }
}
