import { type Cost, measureCosts } from "../costs.ts";
import { type Benchmark, type Figure, figure, formatNumber, ratio } from "../figures.ts";
import { type MeasuredSite, siteOf } from "../site.ts";

const SIZES = [100, 1_000, 10_000, 100_000];
/** Loading a million articles takes long, so only `GROWTH_TO=1000000 npm run bench -- growth` does it. */
if (process.env["GROWTH_TO"] === "1000000") SIZES.push(1_000_000);
const LARGEST = formatNumber(SIZES.at(-1) ?? 0);
/** The growth of the logarithm, from 100 articles to the largest size. */
const MOST = Math.log10(SIZES.at(-1) ?? 0) / 2;
const SUBJECTS = ["page", "search", "save"] as const;

async function databaseSize({ admin }: MeasuredSite): Promise<Figure> {
  const { rows } = await admin.query<{ all: number; indexes: number }>(
    `select pg_database_size(current_database()) / 1e6::float8 as all,
       (select sum(pg_indexes_size(oid)) / 1e6::float8 from pg_class
         where relnamespace = 'public'::regnamespace and relkind = 'r') as indexes`,
  );
  const { all = Number.NaN, indexes = Number.NaN } = rows[0] ?? {};
  const goal = SIZES.at(-1) === 100_000 ? { atMost: 430 } : {};
  const note = `including ${formatNumber(indexes)} MB of indexes`;
  return figure(`database with ${LARGEST} articles`, all, { ...goal, unit: "MB", note });
}

export const growth: Benchmark = {
  title: "Growth",
  method:
    "CPU time of the server and its database connections, averaged over 100 requests, on sites with as many links and samples as articles, up to 100,000. A *page* is /articles, rendered from the database after a write. A *search* returns a page of results for common or rare words or for authors, or nothing for an unknown word. A *save* stores one article. If the cost grew with the logarithm of the number of articles, it would be 2.5 times as high with 100,000 articles as with 100, and three times with 1,000,000.",
  chart: {
    name: "growth",
    title: "CPU time per request",
    description: `CPU milliseconds per page, search and save, with 100 to ${LARGEST} articles. The table above has the same figures.`,
    xAxis: "articles",
    yAxis: "ms",
  },
  async measure() {
    const costs: Awaited<ReturnType<typeof measureCosts>>[] = [];
    for (const size of SIZES) costs.push(await measureCosts(await siteOf(size)));
    const sum = ([server, database]: Cost) => server + database;
    const figures = SUBJECTS.map((subject) => {
      const all = costs.map((each) => sum(each[subject]));
      const note = `with ${SIZES.map((size) => formatNumber(size)).join(", ")} articles: ${all.map((ms) => formatNumber(ms, 1)).join(", ")} ms`;
      const goal = { atMost: MOST, unit: "ms", decimals: 1, than: "the cost with 100 articles", note };
      const points = SIZES.map((size, index): [number, number] => [size, all[index] ?? Number.NaN]);
      const growthOfCost = ratio(`CPU time per ${subject}`, [[all.at(-1) ?? 0, all[0] ?? 0]], goal);
      return { ...growthOfCost, line: { name: subject, points } };
    });
    return [...figures, await databaseSize(await siteOf(SIZES.at(-1) ?? 0))];
  },
};
