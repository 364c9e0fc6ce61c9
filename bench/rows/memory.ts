import { burst } from "../load.ts";
import { atMost, type Goal, shown } from "../outcome.ts";
import { familyMemory } from "../process-usage.ts";
import { startMeasuredSite } from "../site.ts";

const SIZE = 2_000;
const REQUESTS = 50_000;
const PARTS = 10;
const MEGABYTE = 1_000_000;

export const memory: Goal = {
  name: "memory",
  title: "Memory",
  method: `Proportional set size (/proc/*/smaps_rollup) of the server with its database, ${shown(SIZE)} items, after ${shown(REQUESTS)} requests: pages, searches by address and reads of /rest/v1. Growth: the most in the last fifth against the most before it.`,
  async measure() {
    const site = await startMeasuredSite(SIZE);
    const headers = { "Accept-Encoding": "br", apikey: site.keys.anonKey };
    const sizes: number[] = [await familyMemory(site.pid)];
    for (let part = 0; part < PARTS; part++) {
      const share = REQUESTS / PARTS / 5;
      for (const path of ["/", "/articles", "/useful-links", `/articles?q=part+${part}`]) {
        await burst({ url: site.url + path, headers }, share);
      }
      await burst({ url: `${site.url}/rest/v1/articles?select=*,profiles(*)&limit=3`, headers }, share);
      sizes.push(await familyMemory(site.pid));
    }
    await site.stop();
    const end = sizes.at(-1) ?? 0;
    const before = Math.max(...sizes.slice(0, -PARTS / 5));
    const most = Math.max(...sizes.slice(-PARTS / 5));
    return [
      {
        subject: `after ${shown(REQUESTS)} requests`,
        asked: "≤ 300 MB",
        measured: `${shown(end / MEGABYTE)} MB (at the start ${shown((sizes[0] ?? 0) / MEGABYTE)} MB)`,
        isReached: atMost(300 * MEGABYTE, end),
      },
      {
        subject: "growth with the last 10,000",
        asked: "≤ 1.05",
        measured: `${shown(most / MEGABYTE)} / ${shown(before / MEGABYTE)} MB = ${shown(most / before, 2)}`,
        isReached: atMost(1.05, most / before),
      },
    ];
  },
};
