import { ContentPage } from "../content/content-page.tsx";
import { sampleCode } from "../content/kinds/sample-code.tsx";
import { loadListing } from "../content/list/load.ts";
import { pageMeta } from "../page-meta.ts";
import { pageContext } from "../site.ts";
import type { Route } from "./+types/sample-code";

export const loader = ({ context, url }: Route.LoaderArgs) =>
  loadListing(sampleCode, url.searchParams, context.get(pageContext));

// A load that fails changes nothing (specification §8).
export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) => serverLoader().catch(() => null);

export const meta: Route.MetaFunction = ({ matches }) => pageMeta(matches, sampleCode.about);

export default function SampleCode({ loaderData }: Route.ComponentProps) {
  return <ContentPage kind={sampleCode} listing={loaderData} />;
}
