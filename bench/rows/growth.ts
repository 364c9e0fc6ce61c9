import { getPage, getRaw } from "../http.ts";
import { atMost, type Goal, median, type Outcome, shown } from "../outcome.ts";
import { familyCpu } from "../process-usage.ts";
import type { MeasuredSite } from "../site.ts";

const SIZES = [100, 1_000, 10_000, 100_000];
const TIMES = 60;
/** Common, rare and author: what people look for. */
const SEARCHES = [
  "q=latency",
  "q=zyxwvut",
  "q=nowhere+to+be+found",
  "author=Okafor",
  "q=window&author=ada&sort=asc",
];

interface Cost {
  /** Milliseconds by the clock. */
  time: number;
  /** Milliseconds of processor time, server and database together. */
  cpu: number;
}

async function costOf(site: MeasuredSite, work: (time: number) => Promise<unknown>): Promise<Cost> {
  for (let time = 0; time < 5; time++) await work(time);
  const times: number[] = [];
  const before = await familyCpu(site.pid);
  for (let time = 0; time < TIMES; time++) {
    const begun = performance.now();
    await work(time);
    times.push(performance.now() - begun);
  }
  return { time: median(times), cpu: ((await familyCpu(site.pid)) - before) / TIMES };
}

/** Saves one and the same article, as the content page does: a repeated bench finds the same rows. */
async function save({ url, keys, member }: MeasuredSite, time: number): Promise<void> {
  const response = await fetch(`${url}/rest/v1/articles?on_conflict=id`, {
    method: "POST",
    headers: {
      apikey: keys.anonKey,
      Authorization: `Bearer ${member.token}`,
      "Content-Type": "application/json",
      Prefer: "resolution=merge-duplicates,return=minimal",
    },
    body: JSON.stringify({
      id: "00000000-0000-4000-8000-000000000001",
      author_id: member.id,
      title: `Saved ${time} times`,
      content: "## What changed\n\nNothing but the number.\n".repeat(20),
      published: false,
    }),
  });
  if (!response.ok) throw new Error(`Saving is answered with ${response.status}: ${await response.text()}`);
}

async function measureSize(site: MeasuredSite): Promise<Record<"page" | "search" | "save", Cost>> {
  // A save drops every page, so that the next one is rendered from the database.
  const saved = await costOf(site, (time) => save(site, time));
  const both = await costOf(site, async (time) => {
    await save(site, time);
    await getPage(site.url, "/articles");
  });
  const found = await costOf(site, (time) =>
    getRaw(`${site.url}/lists/articles?ask=stretch&${SEARCHES[time % SEARCHES.length]}`),
  );
  await site.admin.query("delete from public.articles where id = '00000000-0000-4000-8000-000000000001'");
  return {
    save: saved,
    page: { time: both.time - saved.time, cpu: Math.max(0, both.cpu - saved.cpu) },
    search: found,
  };
}

export const growth: Goal = {
  name: "growth",
  title: "Growth",
  method: `The middle of ${TIMES}: /articles rendered from the database after a write, a stretch of a search (common and rare words, authors), the save of one article. Milliseconds by the clock, and of processor time of server and database in brackets. Logarithmic growth from 100 to 100,000 is a factor of 2.5.`,
  async measure(bench) {
    const costs: Awaited<ReturnType<typeof measureSize>>[] = [];
    for (const size of SIZES) costs.push(await measureSize(await bench.site(size)));
    return (["page", "search", "save"] as const).map((what): Outcome => {
      const ratio = (costs.at(-1)?.[what].cpu ?? Number.NaN) / (costs[0]?.[what].cpu ?? Number.NaN);
      const figures = costs.map((cost) => `${shown(cost[what].time, 1)} (${shown(cost[what].cpu, 1)})`);
      return {
        subject: `${what} at ${SIZES.map((size) => shown(size)).join(", ")}`,
        asked: "processor time flat or logarithmic: ≤ 2.5",
        measured: `${figures.join(", ")} ms; ${shown(ratio, 2)}`,
        isReached: atMost(2.5, ratio),
      };
    });
  },
};
