import { useEffect } from "react";
import { isRouteErrorResponse, useLocation } from "react-router";
import { kindAt } from "../content/content-kinds.ts";
import { ItemPage } from "../content/item/item-page.tsx";
import { loadItem } from "../content/item/load-item.ts";
import { isPublic, type KindDefinition } from "../content/kinds/kind-definition.ts";
import { itemPath } from "../data/addresses.ts";
import type { ContentRow } from "../data/schema.ts";
import { itemJsonLd } from "../document/json-ld.server.ts";
import { pageMeta, SITE_CARD } from "../document/page-meta.ts";
import { readOrFail } from "../document/read-or-fail.ts";
import { CACHEABLE, pageContext } from "../site.ts";
import type { Route } from "./+types/item";

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const kind = kindAt(url);
  const page = context.get(pageContext);
  const data = await readOrFail(`item.${kind.table}`, page, loadItem(kind, params.id, page));
  const { item } = data.card;
  return { ...data, jsonLd: itemJsonLd(page.site, kind, { item, ...data, card: cardPath(kind, item) }) };
}

let shown: Awaited<ReturnType<Route.ClientLoaderArgs["serverLoader"]>> | undefined;

/** What is on the screen stays where it cannot be read again, as after an update (specification §8). */
export async function clientLoader({ params, serverLoader }: Route.ClientLoaderArgs) {
  try {
    return await serverLoader();
  } catch (error) {
    const isGone = isRouteErrorResponse(error) && error.status === 404;
    if (isGone || shown?.card.item.id !== params.id) throw error;
    return shown;
  }
}

export const headers = () => ({ "Cache-Control": CACHEABLE });

export const meta: Route.MetaFunction = ({ matches, location, loaderData }) => {
  if (!loaderData) return [];
  const { description, jsonLd, card } = loaderData;
  const kind = kindAt(location);
  return pageMeta(matches, {
    path: itemPath(kind, card.item.id),
    name: card.item.title,
    description,
    type: "article",
    card: cardPath(kind, card.item),
    robots: isPublic(kind, card.item) ? undefined : "noindex",
    jsonLd,
  });
};

/** The path of its social card. */
function cardPath(kind: KindDefinition, item: ContentRow): string {
  return kind.hasSocialCard && isPublic(kind, item) ? `/cards${itemPath(kind, item.id)}.png` : SITE_CARD;
}

export default function ItemRoute({ loaderData }: Route.ComponentProps) {
  useEffect(() => {
    shown = loaderData;
    return () => {
      shown = undefined;
    };
  }, [loaderData]);
  return <ItemPage key={loaderData.card.item.id} kind={kindAt(useLocation())} data={loaderData} />;
}
