import { data } from "react-router";
import { ItemPage } from "../content/item/item-page.tsx";
import { loadItem } from "../content/item/load-item.ts";
import { sampleCode } from "../content/kinds/sample-code.tsx";
import { sampleJsonLd } from "../document/json-ld.ts";
import { pageMeta } from "../document/page-meta.ts";
import { readOrFail } from "../document/read-or-fail.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/code-sample";
import { itemMeta } from "./item-meta.ts";

export async function loader({ params: { id }, context }: Route.LoaderArgs) {
  const page = context.get(pageContext);
  const item = await readOrFail("item.code_samples", page, loadItem(sampleCode, id, page));
  if (!item) throw data(null, { status: 404 });
  return item;
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  loaderData ? pageMeta(matches, itemMeta(sampleCode, loaderData, sampleJsonLd)) : [];

export default function CodeSampleRoute({ loaderData }: Route.ComponentProps) {
  return <ItemPage kind={sampleCode} data={loaderData} />;
}
