import { getRaw } from "../http.ts";
import { atMost, type Goal, median, shown } from "../outcome.ts";
import { ownCpu } from "../process-usage.ts";

const SIZE = 2_000;
const CARDS = 20;
const WARM_UP = 10;

export const cards: Goal = {
  name: "cards",
  title: "Social cards",
  method: `The server's processor time for the first request of each of ${CARDS} articles' cards, the middle one; ${WARM_UP} others before them. The first card of a worker, which loads with it, is told apart.`,
  async measure(bench) {
    const site = await bench.site(SIZE);
    const { rows } = await site.admin.query<{ id: string }>(
      "select id from public.articles where published order by created_at desc, id limit $1",
      [WARM_UP + CARDS],
    );
    const times: number[] = [];
    for (const { id } of rows) {
      const before = await ownCpu(site.pid);
      const { status } = await getRaw(`${site.url}/cards/articles/${id}.png`);
      if (status !== 200) throw new Error(`A card is answered with ${status}`);
      times.push((await ownCpu(site.pid)) - before);
    }
    const middle = median(times.slice(WARM_UP));
    return [
      {
        subject: "an article's card",
        asked: "≤ 150 ms of processor time the first time",
        measured: `${shown(middle)} ms`,
        isReached: atMost(150, middle),
      },
      {
        subject: "the first card of a worker",
        asked: "",
        measured: `${shown(times[0] ?? Number.NaN)} ms`,
        isReached: undefined,
      },
    ];
  },
};
