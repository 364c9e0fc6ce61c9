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
  method: `Proportional set size (/proc/*/smaps_rollup) of the server with its database, ${shown(SIZE)} items, after ${shown(REQUESTS)} requests: pages, searches by address and reads of /rest/v1. Growth: the second half against the first.`,
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
    const [half = 0, end = 0] = [sizes[PARTS / 2], sizes[PARTS]];
    return [
      {
        subject: `after ${shown(REQUESTS)} requests`,
        asked: "≤ 300 MB",
        measured: `${shown(end / MEGABYTE)} MB (at the start ${shown((sizes[0] ?? 0) / MEGABYTE)} MB)`,
        isReached: atMost(300 * MEGABYTE, end),
      },
      {
        subject: "growth from half of them to all",
        asked: "≤ 1.05",
        measured: `${shown(end / MEGABYTE)} / ${shown(half / MEGABYTE)} MB = ${shown(end / half, 2)}`,
        isReached: atMost(1.05, end / half),
      },
    ];
  },
};
