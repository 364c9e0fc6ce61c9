import { ItemPage } from "../content/item/item-page.tsx";
import { sampleCode } from "../content/kinds/sample-kind.tsx";
import { sampleJsonLd } from "../document/json-ld.server.ts";
import type { Route } from "./+types/code-sample";
import { itemLoader, itemMeta } from "./item.ts";

export const loader = itemLoader(sampleCode, sampleJsonLd);
export const meta = itemMeta(sampleCode);

export default function CodeSampleRoute({ loaderData }: Route.ComponentProps) {
  return <ItemPage kind={sampleCode} data={loaderData} />;
}
