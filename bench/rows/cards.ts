import { figure, median } from "../figures.ts";
import type { Row } from "../row.ts";
import { getPage } from "../site.ts";
import { ownCpu } from "../usage.ts";

const CARDS = 20;
const WARM_UP = 10;

export const cards: Row = {
  name: "cards",
  title: "Social cards",
  method: `The server's processor time for the first request of an article's card: the median of ${CARDS}, after ${WARM_UP} others.`,
  async measure(bench) {
    const { url, pid, admin } = await bench.site(2_000);
    const { rows } = await admin.query<{ id: string }>(
      "select id from public.articles where published order by created_at desc, id limit $1",
      [WARM_UP + CARDS],
    );
    const times: number[] = [];
    for (const { id } of rows) {
      const before = await ownCpu(pid);
      const { status } = await getPage(`${url}/cards/articles/${id}.png`);
      if (status !== 200) throw new Error(`A card is answered with ${status}`);
      times.push((await ownCpu(pid)) - before);
    }
    return [
      figure("an article's card", median(times.slice(WARM_UP)), { atMost: 150, unit: "ms" }),
      figure("the first card of a worker", times[0] ?? Number.NaN, { unit: "ms" }),
    ];
  },
};
