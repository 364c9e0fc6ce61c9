import { CACHEABLE, TAGLINE } from "../../common/page-services.ts";
import { pageMeta } from "../document/page-meta.ts";
import { HomePage } from "../home/home-page.tsx";
import { loadHome } from "../home/load-home.server.ts";
import { pageServices } from "../page-services.ts";
import type { Route } from "./+types/home";

export const loader = ({ context }: Route.LoaderArgs) => loadHome(context.get(pageServices));

export const headers = () => ({ "Cache-Control": CACHEABLE });

const LLMS_TXT = { path: "/llms.txt", title: "llms.txt", type: "text/plain" };

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { path: "/", description: TAGLINE, alternates: [LLMS_TXT] });

export default function Home({ loaderData }: Route.ComponentProps) {
  return <HomePage home={loaderData} />;
}
