import { ContentPage } from "../content/content-page.tsx";
import { sampleCode } from "../content/kinds/sample-code.tsx";
import { parsePosition } from "../content/list/address.ts";
import { loadListing } from "../content/list/load.ts";
import { parseSearch } from "../content/search.ts";
import { pageMeta, siteOf } from "../page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/sample-code";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadListing(
    sampleCode,
    parseSearch(url.searchParams),
    parsePosition(url.searchParams.get("after")),
    context.get(pageContext),
  );

// A load that fails changes nothing (specification §8).
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => serverLoader().catch(() => null);

export const meta: Route.MetaFunction = ({ matches }) => {
  const site = siteOf(matches);
  return site ? pageMeta(site, sampleCode.path, sampleCode.texts.heading, sampleCode.texts.description) : [];
};

export default function SampleCode({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={sampleCode} listing={loaderData} />;
}
