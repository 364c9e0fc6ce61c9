import { type Cost, measureCosts } from "../costs.ts";
import { type Benchmark, type Figure, figure, formatNumber, ratio } from "../figures.ts";
import { type MeasuredSite, siteOf } from "../site.ts";

const SIZES = [100, 1_000, 10_000, 100_000];
const SUBJECTS = ["page", "search", "save"] as const;

async function databaseSize({ admin }: MeasuredSite): Promise<Figure> {
  const { rows } = await admin.query<{ all: number; indexes: number }>(
    `select pg_database_size(current_database()) / 1e6::float8 as all,
       (select sum(pg_indexes_size(oid)) / 1e6::float8 from pg_class
         where relnamespace = 'public'::regnamespace and relkind = 'r') as indexes`,
  );
  const { all = Number.NaN, indexes = Number.NaN } = rows[0] ?? {};
  const note = `including ${formatNumber(indexes)} MB of indexes`;
  return figure("database with 100,000 items of each kind", all, { atMost: 430, unit: "MB", note });
}

export const growth: Benchmark = {
  title: "Growth",
  method:
    "CPU time of the server and its database connections, averaged over 100 requests. A *page* is /articles, rendered from the database after a write. A *search* returns a page of results for common or rare words or for authors, or nothing for an unknown word. A *save* stores one article. If the cost grew with the logarithm of the number of items, it would be 2.5 times as high with 100,000 items as with 100.",
  async measure() {
    const costs: Awaited<ReturnType<typeof measureCosts>>[] = [];
    for (const size of SIZES) costs.push(await measureCosts(await siteOf(size)));
    const sum = ([server, database]: Cost) => server + database;
    const figures = SUBJECTS.map((subject) => {
      const all = costs.map((each) => sum(each[subject]));
      const note = `with ${SIZES.map((size) => formatNumber(size)).join(", ")} items: ${all.map((ms) => formatNumber(ms, 1)).join(", ")} ms`;
      const goal = { atMost: 2.5, unit: "ms", decimals: 1, than: "the cost with 100 items", note };
      return ratio(`CPU time per ${subject}`, [[all.at(-1) ?? 0, all[0] ?? 0]], goal);
    });
    return [...figures, await databaseSize(await siteOf(100_000))];
  },
};
