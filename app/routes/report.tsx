import { data } from "react-router";
import { CACHEABLE } from "../../common/page-services.ts";
import { pageMeta } from "../document/page-meta.ts";
import { readOrFail } from "../document/read-or-fail.ts";
import { pageServices } from "../page-services.ts";
import { loadReported } from "../report/load-reported.server.ts";
import { type Answer, ReportPage } from "../report/report-page.tsx";
import type { Route } from "./+types/report";

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  return readOrFail("report", services, loadReported(params, services));
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const services = context.get(pageServices);
  const { addReport } = services;
  if (!addReport) throw data(null, { status: 404 });
  const reported = await readOrFail("report", services, loadReported(params, services));
  const form = new URLSearchParams(await request.text());
  const values = { reason: form.get("reason") ?? "", email: form.get("email") ?? "" };
  const result = await addReport(reported, values).catch((error: unknown) => {
    services.logFailure("report", error);
    return { is: "failed" as const };
  });
  const answer = (body: Answer, status: number, headers: Record<string, string> = {}) =>
    data(body, { status, headers: { ...headers, "Cache-Control": "no-store" } });
  const failed = { isSent: false as const, values, field: null };
  switch (result.is) {
    case "accepted":
      return answer({ isSent: true }, 200);
    case "rejected":
      return answer({ isSent: false, values, field: result.field, problem: result.problem }, 422);
    case "limited": {
      const problem = `You have sent several reports within an hour. Try again in ${minutes(result.waitSeconds)}.`;
      return answer({ ...failed, problem }, 429, { "Retry-After": String(result.waitSeconds) });
    }
    case "failed":
      return answer({ ...failed, problem: "The report could not be sent. Try again in a moment." }, 503);
    case "unknown":
      throw data(null, { status: 404 });
  }
}

function minutes(seconds: number): string {
  const count = Math.ceil(seconds / 60);
  return count === 1 ? "a minute" : `${count} minutes`;
}

export const headers: Route.HeadersFunction = ({ actionHeaders }) =>
  actionHeaders.has("Cache-Control") ? actionHeaders : { "Cache-Control": CACHEABLE };

export const meta: Route.MetaFunction = ({ matches, params, loaderData }) => {
  if (!loaderData) return [];
  const { name } = loaderData;
  const tags = pageMeta(matches, {
    path: `/report/${params.list}/${params.id}`,
    name: `Report ${name}`,
    description: `Report ${name} to the operators of this site.`,
    robots: "noindex",
  });
  // The page has its own title, because this function doesn't get the result of a sent form.
  return tags.filter((tag) => !("title" in tag));
};

export default function ReportRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <ReportPage reported={loaderData} answer={actionData} />;
}
