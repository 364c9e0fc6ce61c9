import type { Settings } from "../../config/settings.ts";
import { compareClocks } from "./clock.ts";
import { type Finding, ok, problem } from "./finding.ts";

const patience = 5_000;

/** Takes a Supabase project, returns whether it answers, takes the key and has the tables. */
export async function checkProject({
  url,
  publishableKey,
}: NonNullable<Settings["supabase"]>): Promise<Finding[]> {
  const ask = (path: string) =>
    fetch(`${url}${path}`, { headers: { apikey: publishableKey }, signal: AbortSignal.timeout(patience) });
  const health = await ask("/auth/v1/health").catch(() => undefined);
  if (health === undefined) {
    return [
      problem(
        "project",
        `${url} does not answer: look at SUPABASE_URL, the network, and whether the project is paused.`,
      ),
    ];
  }
  const date = health.headers.get("date");
  const clock = date === null ? [] : [compareClocks("the project", new Date(date))];
  const read = await ask("/rest/v1/code_samples?select=id&limit=1");
  return [...clock, judge(url, read.status)];
}

function judge(url: string, status: number): Finding {
  if (status === 200) return ok("project", `${url} answers, takes the key and has the tables.`);
  if (status === 401 || status === 403) {
    return problem(
      "project",
      `${url} does not accept SUPABASE_PUBLISHABLE_KEY: copy it from the project's settings.`,
    );
  }
  if (status === 404) {
    return problem("project", `${url} lacks the tables: apply the migrations with supabase db push.`);
  }
  return problem("project", `${url} answers with status ${status}: look at the project's own log.`);
}
