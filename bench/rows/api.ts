import { postgresPid } from "../../tests/support/data-dir.ts";
import { getRaw } from "../../tests/support/visiting.ts";
import type { BareQuery } from "../bare-query.ts";
import { startChild } from "../child.ts";
import { inTurns, ratio } from "../figures.ts";
import { burst } from "../load.ts";
import type { Row } from "../row.ts";
import type { MeasuredSite } from "../site.ts";
import { familyCpu, ownCpu } from "../usage.ts";

const ROUNDS = 5;
const REQUESTS = 3_000;
const LIST = "/rest/v1/articles?select=*,profiles(username,full_name)&order=created_at.desc&limit=3";

/** What /rest/v1 sends to the database: pg_stat_activity shows the last statement of a connection. */
async function statementOf({ url, admin, keys }: MeasuredSite): Promise<string> {
  for (;;) {
    const list = getRaw(url + LIST, { apikey: keys.anonKey });
    const { rows } = await admin.query<{ query: string }>(
      "select query from pg_stat_activity where application_name = 'techfolio' and query like '%json_agg%articles%'",
    );
    await list;
    if (rows[0]) return rows[0].query;
  }
}

export const api: Row = {
  name: "api",
  title: "API",
  method: `Three articles with their authors: ${REQUESTS} requests over 8 connections, ${ROUNDS} times each, in turns; processor time of server and database. The bare handler is Hono with pg: begin, the same statement as the same role, commit.`,
  async measure(bench) {
    const site = await bench.site(2_000);
    const headers = { apikey: site.keys.anonKey };
    const query: BareQuery = { dataDir: site.dataDir, statement: await statementOf(site) };
    const bare = await startChild("./bare-query.ts", query);
    const database = await postgresPid(site.dataDir);
    const costOf = (url: string, server: number) => async () => {
      const used = async () => (await ownCpu(server)) + (await familyCpu(database));
      const before = await used();
      await burst(url, REQUESTS, { headers, connections: 8 });
      return ((await used()) - before) / REQUESTS;
    };
    const bareUrl = `http://127.0.0.1:${String(bare.report)}/`;
    // The first round warms up.
    const [own, others] = await inTurns(
      ROUNDS + 1,
      costOf(site.url + LIST, site.pid),
      costOf(bareUrl, bare.pid),
    );
    await bare.stop();
    const goal = { atMost: 1.5, unit: "ms", decimals: 2, than: "a bare handler" };
    return [ratio("3 articles with authors", own.slice(1), others.slice(1), goal)];
  },
};
