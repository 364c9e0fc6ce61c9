import { data } from "react-router";
import { pageMeta } from "../document/page-meta.ts";
import { readOrFail } from "../document/read-or-fail.ts";
import { JoinPage } from "../join/join-page.tsx";
import { pageServices } from "../page-services.ts";
import type { Route } from "./+types/join";

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const reading = services.readJoinState?.(params.code) ?? Promise.resolve(null);
  const state = await readOrFail("join", services, reading);
  return data(state, {
    status: state.is === "invalid" ? 404 : 200,
    headers: { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex" },
  });
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = ({ matches, params, loaderData }) => {
  if (!loaderData) return [];
  const name = `Join ${loaderData.siteName}`;
  return pageMeta(matches, {
    path: `/join/${params.code}`,
    name: loaderData.is === "sent" ? `Email sent · ${name}` : name,
    description: `${name} with an invitation link.`,
    robots: "noindex",
  });
};

export default function Join({ loaderData }: Route.ComponentProps) {
  return <JoinPage state={loaderData} />;
}
