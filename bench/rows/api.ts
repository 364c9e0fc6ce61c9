import type { BareQuery } from "../bare-query.ts";
import { startChild } from "../child.ts";
import { burst } from "../load.ts";
import { atMost, type Goal, median, shown } from "../outcome.ts";
import { familyCpu, ownCpu } from "../process-usage.ts";
import type { MeasuredSite } from "../site.ts";

const SIZE = 2_000;
const ROUNDS = 5;
const REQUESTS = 3_000;
const LIST = "/rest/v1/articles?select=*,profiles(username,full_name)&order=created_at.desc&limit=3";

/** The statement of the list: what /rest/v1 sends to the database (pg_stat_activity shows the last one of a connection). */
async function statementOf(site: MeasuredSite): Promise<string> {
  const headers = { apikey: site.keys.anonKey };
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    const asked = fetch(site.url + LIST, { headers }).then((response) => response.text());
    const seen = await site.admin.query<{ query: string }>(
      "select query from pg_stat_activity where application_name = 'techfolio' and query like '%json_agg%articles%'",
    );
    await asked;
    const query = seen.rows[0]?.query;
    if (query) return query;
  }
  throw new Error("The statement of the list has not been seen");
}

export const api: Goal = {
  name: "api",
  title: "API",
  method: `The list of 3 articles with their authors, ${shown(REQUESTS)} requests over 8 connections, ${ROUNDS} times each, in turns. The bare handler is Hono with pg: begin, the same statement as the same role, commit. Processor time of server and database together.`,
  async measure(bench) {
    const site = await bench.site(SIZE);
    const target = { url: site.url + LIST, headers: { apikey: site.keys.anonKey } };
    const question: BareQuery = { dataDir: site.dataDir, statement: await statementOf(site) };
    const bare = await startChild("./bare-query.ts", question);
    const bareTarget = { url: `http://127.0.0.1:${String(bare.report)}/` };
    const databasePid = await postgresPid(site);
    const cost = async (load: typeof target | typeof bareTarget, pid: number) => {
      const before = (await ownCpu(pid)) + (await familyCpu(databasePid));
      await burst(load, REQUESTS, 8);
      return ((await ownCpu(pid)) + (await familyCpu(databasePid)) - before) / REQUESTS;
    };
    const own: number[] = [];
    const others: number[] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const [ours, theirs] = [await cost(target, site.pid), await cost(bareTarget, bare.pid)];
      if (round < 0) continue;
      own.push(ours);
      others.push(theirs);
    }
    await bare.stop();
    const ratio = median(own) / median(others);
    return [
      {
        subject: "3 articles with authors",
        asked: "≤ 1.5 × the processor time of a bare handler",
        measured: `${shown(median(own), 2)} / ${shown(median(others), 2)} ms = ${shown(ratio, 2)}`,
        isReached: atMost(1.5, ratio),
      },
    ];
  },
};

async function postgresPid({ admin }: MeasuredSite): Promise<number> {
  const answer = await admin.query<{ pid: number }>(
    "select (pg_read_file('postmaster.pid', 0, 12)::text) as pid",
  );
  return Number.parseInt(String(answer.rows[0]?.pid), 10);
}
