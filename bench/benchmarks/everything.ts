import { brotliDecompressSync } from "node:zlib";
import { costOf } from "../costs.ts";
import {
  type Benchmark,
  combine,
  type Figure,
  figure,
  formatNumber,
  median,
  quantile,
  ratio,
} from "../figures.ts";
import { getPage, type MeasuredSite, startMeasuredSite } from "../site.ts";
import { loadPeople } from "./people.ts";

const SMALL = { items: 1_000, people: 1_000 };
/** Loading a million articles takes long, so only `EVERYTHING_TO=1000000 npm run bench -- everything` does it. */
const LARGE = { items: Number(process.env["EVERYTHING_TO"] ?? 100_000), people: 20_000 };
/** Common, rare and unknown words, several words, beginnings, names, phrases, exclusions, symbols and other scripts. */
const SEARCHES = [
  "python",
  "query",
  "measured",
  "postgres",
  "window functions",
  "latency python",
  "plan index scan",
  "zyxwvut",
  "nobodyhere",
  "ada python",
  "okafor",
  "noor tanaka lambda",
  "member777",
  '"sequential scan"',
  '"ten calls of 20 ms"',
  "python -lambda",
  "row_number()",
  "docs.python.org",
  "a",
  "the",
  "terraform engineer",
  "佐藤",
  "佐",
  "інженер",
];
/** In the list of articles: common and rare words, and one or two characters. */
const LIST_SEARCHES = ["python", "window", "postgresql", "nobodyhere", "zyxwvut", "in 9", "qj", "zq", "€"];
const ROUNDS = 4;
const INDEXES = `
  select indexrelid::regclass::text as name, pg_relation_size(indexrelid)::float8 / 1e6 as index,
    pg_table_size(indrelid)::float8 / 1e6 as table
  from pg_index join pg_class c on c.oid = indexrelid join pg_am a on a.oid = c.relam
  where indrelid = 'private.search_documents'::regclass and amname = 'gin' order by name`;

/** Returns the CPU milliseconds of each search, from the second round on: V8 compiles the code during the first. */
async function measureSearches(
  site: MeasuredSite,
  page: string,
  searches: string[],
): Promise<Map<string, number[]>> {
  const costs = new Map<string, number[]>(searches.map((text) => [text, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const text of searches) {
      const [server, database] = await costOf(site, site.pid, 1, async () => {
        const { status, body } = await getPage(
          `${site.url}${page}.data?q=${encodeURIComponent(text)}&n=${round}`,
        );
        if (status !== 200)
          throw new Error(`${page}?q=${text} returned ${status}: ${brotliDecompressSync(body)}`);
      });
      if (round > 0) costs.get(text)?.push(server + database);
    }
  }
  return costs;
}

async function measureSite({ items, people }: typeof SMALL) {
  const site = await startMeasuredSite(items);
  try {
    await loadPeople(site.admin, people);
    const costs = await measureSearches(site, "/search", SEARCHES);
    const listCosts = await measureSearches(site, "/articles", LIST_SEARCHES);
    const { rows } = await site.admin.query<{ name: string; index: number; table: number }>(INDEXES);
    return { costs, listCosts, indexes: rows };
  } finally {
    await site.stop();
  }
}

export const everything: Benchmark = {
  title: "The search over everything",
  method: `CPU time of the server and its database connections for the data of a page of /search: ${SEARCHES.length} searches for common, rare and unknown words, several words, beginnings, names, phrases, exclusions, symbols and other scripts, ${ROUNDS - 1} times each. In the list of articles, ${LIST_SEARCHES.length} searches for words and for one or two characters. Each person has 10 skills. The indexes are newly built.`,
  async measure() {
    const [small, large] = [await measureSite(SMALL), await measureSite(LARGE)];
    const all = (costs: Map<string, number[]>) => [...costs.values()].flat();
    const slowestOf = (costs: Map<string, number[]>) =>
      [...costs]
        .map(([text, each]) => ({ text, cost: median(each) }))
        .toSorted((a, b) => b.cost - a.cost)
        .slice(0, 4)
        .map(({ text, cost }) => `\`${text}\` ${formatNumber(cost)} ms`)
        .join(", ");
    const noteOf = (costs: Map<string, number[]>) =>
      `median ${formatNumber(median(all(costs)))} ms; slowest: ${slowestOf(costs)}`;
    const figures: Figure[] = [
      figure(
        `98% of searches over ${formatNumber(LARGE.items)} articles, 100,000 links and samples, and 20,000 people`,
        quantile(all(large.costs), 0.98),
        { atMost: 300, unit: "ms", note: noteOf(large.costs) },
      ),
      figure("slowest search of the list of articles", Math.max(...all(large.listCosts)), {
        atMost: 1_000,
        unit: "ms",
        note: noteOf(large.listCosts),
      }),
      ratio(
        "growth from 1,000 items of each kind and 1,000 people",
        [[median(all(large.costs)), median(all(small.costs))]],
        {
          atMost: 2.5,
          unit: "ms",
          decimals: 1,
          than: "the median at 1,000",
        },
      ),
    ];
    const sizes = large.indexes.map(({ name, index, table }) =>
      figure(name, index / table, {
        atMost: 1,
        decimals: 2,
        note: `${formatNumber(index)} / ${formatNumber(table)} MB`,
      }),
    );
    return [...figures, combine("size of each index, compared with its table", sizes)];
  },
};
