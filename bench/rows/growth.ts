import { type Figure, figure, ratio, shown } from "../figures.ts";
import type { Row } from "../row.ts";
import type { MeasuredSite } from "../site.ts";
import { familyCpu } from "../usage.ts";
import { createWork, repeat } from "../work.ts";

const SIZES = [100, 1_000, 10_000, 100_000];
const TIMES = 60;

/** Milliseconds of processor time of server and database. */
async function measureSize(site: MeasuredSite): Promise<Record<"page" | "search" | "save", number>> {
  const work = createWork(site);
  async function costOf(act: (time: number) => PromiseLike<unknown>): Promise<number> {
    await repeat(5, act);
    const before = await familyCpu(site.pid);
    await repeat(TIMES, act);
    return ((await familyCpu(site.pid)) - before) / TIMES;
  }
  const save = await costOf((time) => work.save(`Saved ${time}`));
  const page = Math.max(0, (await costOf(work.saveAndList)) - save);
  const search = await costOf(work.search);
  await work.clear();
  return { page, search, save };
}

async function databaseSize({ admin }: MeasuredSite): Promise<Figure> {
  const { rows } = await admin.query<{ all: number; indexes: number }>(
    `select pg_database_size(current_database()) / 1e6::float8 as all,
       (select sum(pg_indexes_size(oid)) / 1e6::float8 from pg_class
         where relnamespace = 'public'::regnamespace and relkind = 'r') as indexes`,
  );
  const { all = Number.NaN, indexes = Number.NaN } = rows[0] ?? {};
  const note = `of which indexes ${shown(indexes)} MB`;
  return figure("the database of 100,000 items of each kind", all, { atMost: 430, unit: "MB", note });
}

export const growth: Row = {
  name: "growth",
  title: "Growth",
  method: `Processor time of server and database, means of ${TIMES}: /articles rendered from the database after a write, a page of a search (common and rare words, authors), the save of one article. From 100 items to 100,000, logarithmic growth is a factor of 2.5.`,
  async measure(bench) {
    const costs: Awaited<ReturnType<typeof measureSize>>[] = [];
    for (const size of SIZES) costs.push(await measureSize(await bench.site(size)));
    const figures = (["page", "search", "save"] as const).map((what) => {
      const all = costs.map((cost) => cost[what]);
      const note = `at ${SIZES.map((size) => shown(size)).join(", ")}: ${all.map((ms) => shown(ms, 1)).join(", ")} ms`;
      const goal = { atMost: 2.5, unit: "ms", decimals: 1, than: "the cost at 100", note };
      return ratio(what, all.slice(-1), all.slice(0, 1), goal);
    });
    return [...figures, await databaseSize(await bench.site(100_000))];
  },
};
