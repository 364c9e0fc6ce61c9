import { ownCpu } from "../../tests/support/cpu.ts";
import { type Benchmark, figure, median } from "../figures.ts";
import { getPage, newestArticles, siteOf } from "../site.ts";

const CARDS = 20;
const WARM_UP = 10;

export const cards: Benchmark = {
  title: "Social cards",
  method: `The server's CPU time for the first request for an article's card: the median of ${CARDS} cards, after ${WARM_UP} others as a warm-up.`,
  async measure() {
    const site = await siteOf(2_000);
    const times: number[] = [];
    for (const id of await newestArticles(site, WARM_UP + CARDS)) {
      const before = await ownCpu(site.pid);
      const { status } = await getPage(`${site.url}/cards/articles/${id}.png`);
      if (status !== 200) throw new Error(`A card returned ${status}`);
      times.push((await ownCpu(site.pid)) - before);
    }
    return [
      figure("an article's card", median(times.slice(WARM_UP)), { atMost: 150, unit: "ms" }),
      figure("the first card of a worker", times[0] ?? Number.NaN, { unit: "ms" }),
    ];
  },
};
