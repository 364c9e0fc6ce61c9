import { ItemPage } from "../content/item/item-page.tsx";
import { usefulLinks } from "../content/kinds/link-kind.tsx";
import { linkJsonLd } from "../document/json-ld.server.ts";
import type { Route } from "./+types/useful-link";
import { itemLoader, itemMeta } from "./item.ts";

export const loader = itemLoader(usefulLinks, linkJsonLd);
export const meta = itemMeta(usefulLinks);

export default function UsefulLinkRoute({ loaderData }: Route.ComponentProps) {
  return <ItemPage kind={usefulLinks} data={loaderData} />;
}
