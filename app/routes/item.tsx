import { useLocation } from "react-router";
import { itemPath } from "../../common/data/addresses.ts";
import type { ContentRow } from "../../common/data/schema.ts";
import { filePath, isPublic, type KindDefinition } from "../../common/kinds/kind-definition.ts";
import { CACHEABLE } from "../../common/page-services.ts";
import { kindAt } from "../content/content-kind.ts";
import { ItemPage } from "../content/item/item-page.tsx";
import { loadItem } from "../content/item/load-item.server.ts";
import { itemJsonLd } from "../document/json-ld.server.ts";
import { pageMeta, SITE_CARD, socialCard } from "../document/page-meta.ts";
import { readOrFail } from "../document/read-or-fail.ts";
import { pageServices } from "../page-services.ts";
import { type SocialPicture, socialPicture } from "../pictures/social-picture.ts";
import { revalidateUnlessReturning } from "../router/history-index.ts";
import type { Route } from "./+types/item";

export async function loader({ params, url, context }: Route.LoaderArgs) {
  const kind = kindAt(url);
  const services = context.get(pageServices);
  const data = await readOrFail(`item.${kind.table}`, services, loadItem(kind, params.id, services));
  const { item, html = "" } = data.card;
  const picture = socialPicture(html) ?? cardOf(kind, item);
  const { description } = data;
  const jsonLd = itemJsonLd(services.site, kind, { item, description, picture: picture.path });
  return { ...data, picture, jsonLd };
}

export const shouldRevalidate = revalidateUnlessReturning;

export const headers = () => ({ "Cache-Control": CACHEABLE });

export const meta: Route.MetaFunction = ({ matches, location, loaderData }) => {
  if (!loaderData) return [];
  const { description, jsonLd, card, picture } = loaderData;
  const kind = kindAt(location);
  const file = filePath(kind, card.item);
  return pageMeta(matches, {
    path: itemPath(kind, card.item),
    name: card.item.title,
    description,
    type: "article",
    picture,
    robots: isPublic(kind, card.item) ? undefined : "noindex",
    alternates: kind.file && file ? [{ path: file, title: "Raw", type: kind.file.mediaType }] : [],
    jsonLd,
  });
};

function cardOf(kind: KindDefinition, item: ContentRow): SocialPicture {
  const hasCard = kind.hasSocialCard && isPublic(kind, item);
  return hasCard ? socialCard(`/cards${itemPath(kind, item)}.png`) : SITE_CARD;
}

export default function ItemRoute({ loaderData, params }: Route.ComponentProps) {
  const kind = kindAt(useLocation());
  return <ItemPage key={params.id} kind={kind} data={loaderData} />;
}
