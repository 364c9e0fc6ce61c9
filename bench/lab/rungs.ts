import { setTimeout as sleep } from "node:timers/promises";
import { adminLogin } from "../../tests/support/data-dir.ts";
import { createCommunity } from "../../tests/support/members.ts";
import { type Figure, figure, median, shown } from "../figures.ts";
import { burst } from "../load.ts";
import type { Row } from "../row.ts";
import { type MeasuredSite, type RunningSite, startSite } from "../site.ts";
import { ownCpu } from "../usage.ts";
import { createWork, repeat } from "../work.ts";

const TIMES = 100;
const SIGN_INS = 20;
const CACHED = 5_000;
const NEWS = 20;
/** Longer than others' writes are gathered for: each save is the first after a while. */
const QUIET_MS = 1_000;

/** Milliseconds of processor time of the site's process, and of its connections to the database. */
type Cost = [server: number, database: number];

/** Not of the whole database: what it does in the background comes and goes. */
async function connectionsCpu({ admin }: MeasuredSite): Promise<Map<number, number>> {
  const { rows } = await admin.query<{ pid: number }>(
    "select pid from pg_stat_activity where application_name like 'techfolio%'",
  );
  return new Map(await Promise.all(rows.map(async ({ pid }) => [pid, await ownCpu(pid)] as const)));
}

async function measure(site: MeasuredSite, { url, pid }: RunningSite): Promise<[string, Cost][]> {
  const { save, saveAndList, search } = createWork(site, url);
  const { openSession } = createCommunity({ url, keys: site.keys });
  async function costOf(times: number, work: () => Promise<unknown>): Promise<Cost> {
    const [server, connections] = [await ownCpu(pid), await connectionsCpu(site)];
    await work();
    let database = 0;
    for (const [each, cpu] of await connectionsCpu(site)) database += cpu - (connections.get(each) ?? 0);
    return [((await ownCpu(pid)) - server) / times, database / times];
  }
  // Compilers are at work in the first ones.
  await repeat(30, (time) => saveAndList(time).then(() => search(time)));
  const options = { headers: { "Accept-Encoding": "br" }, connections: 4 };
  const cached = await costOf(CACHED, () => burst(`${url}/articles`, CACHED, options));
  const saved = await costOf(TIMES, () => repeat(TIMES, (time) => save(`Saved ${time}`)));
  const both = await costOf(TIMES, () => repeat(TIMES, saveAndList));
  return [
    ["a page from the cache", cached],
    ["a page rendered afresh", [both[0] - saved[0], both[1] - saved[1]]],
    ["a search in the database", await costOf(TIMES, () => repeat(TIMES, search))],
    ["a save", saved],
    ["a sign-in", await costOf(SIGN_INS, () => repeat(SIGN_INS, () => openSession(site.member)))],
  ];
}

/** Milliseconds from a save's acknowledgement by one process until the other one's page shows it. */
async function newsTimes(site: MeasuredSite, from: RunningSite, to: RunningSite): Promise<number[]> {
  const { save, clear } = createWork(site, from.url);
  const page = () => fetch(`${to.url}/articles`).then((response) => response.text());
  const taken: number[] = [];
  await repeat(NEWS, async (time) => {
    await page();
    await sleep(QUIET_MS);
    await save(`News ${time}`);
    const begun = performance.now();
    while (!(await page()).includes(`News ${time}<`));
    taken.push(performance.now() - begun);
  });
  await clear();
  return taken;
}

export const rungs: Row = {
  name: "rungs",
  title: "Cost on one machine and on several",
  method:
    "Milliseconds of processor time per request, server + database, 100,000 items of each kind: on the embedded database; then through one of two processes that share it by DATABASE_URL. News: from a save through one process, the first in a second, until the other one's page shows it.",
  async measure(bench) {
    const site = await bench.site(100_000);
    const alone = await measure(site, site);
    const { host, password } = await adminLogin(site.dataDir);
    const settings = {
      DATABASE_URL: `postgres://postgres:${password}@localhost/postgres?host=${host}`,
      AUTH_JWT_SECRET: site.keys.jwtSecret,
    };
    const [one, two] = [await startSite(site.dataDir, settings), await startSite(site.dataDir, settings)];
    const shared = new Map(await measure(site, one));
    const news = await newsTimes(site, one, two);
    await one.stop();
    await two.stop();
    const text = ([server, database]: Cost = [Number.NaN, Number.NaN]) =>
      `${shown(server, 2)} + ${shown(database, 2)}`;
    const costs = alone.map(([what, cost]): Figure => {
      return { subject: what, asked: "", measured: `${text(cost)}; ${text(shared.get(what))} ms` };
    });
    const note = `median ${shown(median(news))} ms`;
    return [...costs, figure("news, the slowest", Math.max(...news), { atMost: 1_000, unit: "ms", note })];
  },
};
