import { brotliDecompressSync } from "node:zlib";
import { createClient } from "@supabase/supabase-js";
import { articles } from "../../common/kinds/articles.ts";
import { costOf, repeat } from "../costs.ts";
import {
  type Benchmark,
  combine,
  type Figure,
  figure,
  formatNumber,
  inTurns,
  median,
  quantile,
  ratio,
} from "../figures.ts";
import { getPage, type MeasuredSite, startMeasuredSite } from "../site.ts";
import texts from "../texts.json" with { type: "json" };
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
const SAVES = 20;
const ROUNDS_OF_SAVES = 9;
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

/** Returns about 2 kB of Markdown with code. It differs for each number. */
function articleOf(number: number): string {
  const words = texts.vocabulary.split(" ");
  const part = (list: readonly string[], shift: number) => list[(number * 7 + shift) % list.length];
  const looked = Array.from(
    { length: 50 },
    (_, index) => words[(number * 31 + index * index * 17) % words.length],
  );
  return [
    `## Case ${number}`,
    part(texts.paragraphs, 0),
    part(texts.code, 1),
    looked.join(" "),
    part(texts.paragraphs, 3),
  ]
    .join("\n\n")
    .repeat(2)
    .slice(0, 2_000);
}

/** Returns the CPU milliseconds of saves with and without the triggers that fill the searches' table. */
async function measureSaves(site: MeasuredSite): Promise<[own: number, other: number][]> {
  const client = createClient(site.url, site.keys.anonKey, {
    accessToken: async () => site.session.access_token,
  });
  let saves = 0;
  const save = async () => {
    saves += 1;
    const row = {
      id: crypto.randomUUID(),
      title: `Saved ${saves}`,
      content: articleOf(saves),
      published: true,
    };
    await client
      .from(articles.table)
      .upsert({ ...row, [articles.ownerColumn]: site.member.id })
      .throwOnError();
  };
  const series = async (state: "enable" | "disable") => {
    for (const trigger of ["index_inserts", "index_updates"])
      await site.admin.query(`alter table public.${articles.table} ${state} trigger ${trigger}`);
    // Don't measure this save: PostgreSQL plans the triggers' statements again.
    await save();
    const [server, database] = await costOf(site, site.pid, SAVES, () => repeat(SAVES, save));
    return server + database;
  };
  await repeat(100, save);
  const pairs = await inTurns(
    ROUNDS_OF_SAVES,
    () => series("enable"),
    () => series("disable"),
  );
  await series("enable");
  return pairs;
}

async function measureSite({ items, people }: typeof SMALL) {
  const site = await startMeasuredSite(items);
  try {
    await loadPeople(site.admin, people);
    const costs = await measureSearches(site, "/search", SEARCHES);
    const listCosts = await measureSearches(site, "/articles", LIST_SEARCHES);
    const { rows } = await site.admin.query<{ name: string; index: number; table: number }>(INDEXES);
    return { costs, listCosts, indexes: rows, saves: await measureSaves(site) };
  } finally {
    await site.stop();
  }
}

export const everything: Benchmark = {
  title: "The search over everything",
  method: `CPU time of the server and its database connections for the data of a page of /search: ${SEARCHES.length} searches for common, rare and unknown words, several words, beginnings, names, phrases, exclusions, symbols and other scripts, ${ROUNDS - 1} times each. In the list of articles, ${LIST_SEARCHES.length} searches for words and for one or two characters. Each person has 10 skills. The indexes are newly built. A save is a new article through /rest/v1; without the searches' table means with its triggers disabled, in turns, so that nothing finds the article.`,
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
        { atMost: LARGE.items > 100_000 ? 300 : 150, unit: "ms", note: noteOf(large.costs) },
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
      ratio("saving an article of 2 kB", large.saves, {
        atMost: 1.2,
        unit: "ms",
        decimals: 2,
        than: "without the searches' table",
      }),
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
