import { type Benchmark, figure, formatNumber, ratio } from "../figures.ts";
import { burst } from "../load.ts";
import { startMeasuredSite } from "../site.ts";
import { familyMemory } from "../usage.ts";

const REQUESTS = 50_000;
const PARTS = 10;

export const memory: Benchmark = {
  title: "Memory",
  method: `Proportional set size (from /proc/*/smaps_rollup) of the server and its database with 2,000 items of each kind, after ${formatNumber(REQUESTS)} requests for pages, searches and rows. *growth of the memory* is the maximum during the last fifth of the requests, divided by the maximum before.`,
  async measure() {
    const { url, pid, keys, stop } = await startMeasuredSite(2_000);
    const sizes = [await familyMemory(pid)];
    for (let part = 0; part < PARTS; part++) {
      const rows = "/rest/v1/articles?select=*,profiles(*)&limit=3";
      const paths = ["/", "/articles", "/useful-links", `/articles?q=part+${part}`, rows];
      const requests = REQUESTS / PARTS / paths.length;
      for (const path of paths) await burst(url + path, requests, { apikey: keys.anonKey });
      sizes.push(await familyMemory(pid));
    }
    await stop();
    const before = Math.max(...sizes.slice(0, -PARTS / 5));
    const last = Math.max(...sizes.slice(-PARTS / 5));
    const note = `at the start ${formatNumber(sizes[0] ?? 0)} MB`;
    const goal = { atMost: 1.05, unit: "MB", than: "the earlier maximum" };
    return [
      figure(`memory after ${formatNumber(REQUESTS)} requests`, sizes.at(-1) ?? 0, {
        atMost: 240,
        unit: "MB",
        note,
      }),
      ratio("growth of the memory", [[last, before]], goal),
    ];
  },
};
