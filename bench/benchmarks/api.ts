import { getRaw } from "../../tests/support/visiting.ts";
import { costOf } from "../costs.ts";
import { type Benchmark, formatNumber, inTurns, ratio } from "../figures.ts";
import { burst } from "../load.ts";
import { type MeasuredSite, siteOf, startSite } from "../site.ts";

const ROUNDS = 5;
const REQUESTS = 3_000;
const LIST = "/rest/v1/articles?select=*,profiles(username,full_name)&order=created_at.desc&limit=3";

/**
 * Returns the SQL that /rest/v1 sends for LIST, so that the bare handler can run the same statement. Reads it from
 * pg_stat_activity, which shows the last statement of each connection, and requests LIST again until it is there.
 */
async function statementOf(site: MeasuredSite): Promise<string> {
  const list = getRaw(site.url + LIST, { apikey: site.keys.anonKey });
  const { rows } = await site.admin.query<{ query: string }>(
    "select query from pg_stat_activity where application_name = 'techfolio' and query like '%json_agg%articles%'",
  );
  await list;
  return rows[0]?.query ?? statementOf(site);
}

export const api: Benchmark = {
  title: "API",
  method: `CPU time of the server and its database connections per request for three articles with their authors: ${formatNumber(REQUESTS)} requests over 8 connections, ${ROUNDS} times for the site and for a bare handler, alternately. The bare handler uses only Hono and pg, and runs the same statement under the same role in a transaction.`,
  async measure() {
    const site = await siteOf(2_000);
    const settings = { DATA_DIR: site.dataDir, STATEMENT: await statementOf(site) };
    const bare = await startSite(settings, "bench/lab/bare-query.ts");
    const load = async (url: string, pid: number) => {
      const send = () => burst(url, REQUESTS, { apikey: site.keys.anonKey });
      const [server, database] = await costOf(site, pid, REQUESTS, send);
      return server + database;
    };
    const measureSite = () => load(site.url + LIST, site.pid);
    const measureBare = () => load(bare.url, bare.pid);
    await inTurns(1, measureSite, measureBare);
    const goal = { atMost: 1.5, unit: "ms", decimals: 2, than: "a bare handler" };
    const pairs = await inTurns(ROUNDS, measureSite, measureBare);
    await bare.stop();
    return [ratio("3 articles with authors", pairs, goal)];
  },
};
