import { setTimeout as sleep } from "node:timers/promises";
import { adminLogin } from "../../tests/support/data-dir.ts";
import { type Cost, measureCosts, repeat, saveArticle } from "../costs.ts";
import { type Benchmark, type Figure, figure, formatNumber, median } from "../figures.ts";
import { type MeasuredSite, type RunningSite, siteOf, startSite } from "../site.ts";

const SAVES = 20;
/** Longer than a process caches a page (one second), so the first visit after the pause gets a newly rendered page. */
const PAUSE_MS = 1_010;

/** Returns the milliseconds from each save through one process until the other process serves the new page. */
async function propagationTimes(site: MeasuredSite, from: RunningSite, to: RunningSite): Promise<number[]> {
  const save = saveArticle(site, from.url);
  const page = () => fetch(`${to.url}/articles`).then((response) => response.text());
  const times: number[] = [];
  await repeat(SAVES, async (time) => {
    await page();
    await sleep(PAUSE_MS);
    await save(`News ${time}`);
    const start = performance.now();
    while (!(await page()).includes(`News ${time}<`));
    times.push(performance.now() - start);
  });
  return times;
}

export const processes: Benchmark = {
  title: "Cost with one process and with two",
  method:
    "CPU milliseconds per request with 100,000 items of each kind, as server + database: for one process with the embedded database, and for one of two processes that share this database through DATABASE_URL. *slowest propagation* is the longest time from a save through one process until the other process, whose cached page has expired, shows the change.",
  async measure() {
    const site = await siteOf(100_000);
    const alone = await measureCosts(site);
    const { host, password } = await adminLogin(site.dataDir);
    const settings = {
      DATA_DIR: site.dataDir,
      DATABASE_URL: `postgres://postgres:${password}@localhost/postgres?host=${host}`,
      AUTH_JWT_SECRET: site.keys.jwtSecret,
    };
    const [one, two] = [await startSite(settings), await startSite(settings)];
    const shared = await measureCosts(site, one);
    const times = await propagationTimes(site, one, two);
    await one.stop();
    await two.stop();
    const text = ([server, database]: Cost) => `${formatNumber(server, 2)} + ${formatNumber(database, 2)}`;
    const costs = Object.entries(alone).map(([subject, cost]): Figure => {
      const two = text(shared[subject as keyof typeof shared]);
      const measured = `${text(cost)} ms with one process, ${two} ms with two`;
      return { subject: `CPU time per ${subject}`, goal: "", measured, verdict: "" };
    });
    const note = `median ${formatNumber(median(times))} ms`;
    return [...costs, figure("slowest propagation", Math.max(...times), { atMost: 1_500, unit: "ms", note })];
  },
};
