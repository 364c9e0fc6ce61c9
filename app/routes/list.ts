import { createHash } from "node:crypto";
import { KINDS } from "../content/kinds/index.ts";
import { answerList } from "../content/list/list.server.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/list";

/** What a page asks of its list beyond what the document carries, as JSON with a validator. */
export async function loader({ params, url, context }: Route.LoaderArgs) {
  const kind = Object.hasOwn(KINDS, params.table) ? KINDS[params.table as keyof typeof KINDS] : undefined;
  if (!kind) return new Response("Not Found\n", { status: 404 });
  const page = context.get(pageContext);
  try {
    const body = JSON.stringify(await answerList(kind, url.searchParams, page));
    const tag = createHash("sha1").update(body).digest("base64url");
    return new Response(body, { headers: { "Content-Type": "application/json", ETag: `W/"${tag}"` } });
  } catch (error) {
    page.logFailure(`list.${params.table}`, error);
    return Response.json(
      { message: "The list cannot be read" },
      { status: 503, headers: { "Retry-After": "5" } },
    );
  }
}
