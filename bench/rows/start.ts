import { rm } from "node:fs/promises";
import { newDataDir } from "../../tests/support/data-dir.ts";
import { figure, median } from "../figures.ts";
import type { Row } from "../row.ts";
import { startSite } from "../site.ts";

const STARTS = 5;

async function timeStart(dataDir: string): Promise<number> {
  const begun = performance.now();
  const site = await startSite(dataDir);
  const taken = performance.now() - begun;
  await site.stop();
  return taken;
}

export const start: Row = {
  name: "start",
  title: "Start",
  method: `From \`node server/main.ts\` to the first page; medians of ${STARTS}.`,
  async measure() {
    const fresh: number[] = [];
    const existing: number[] = [];
    for (let starts = 0; starts < STARTS; starts++) {
      const dataDir = await newDataDir();
      fresh.push(await timeStart(dataDir));
      existing.push(await timeStart(dataDir));
      await rm(dataDir, { recursive: true, force: true });
    }
    return [
      figure("existing database", median(existing), { atMost: 1_000, unit: "ms" }),
      figure("new database", median(fresh), { atMost: 3_000, unit: "ms" }),
    ];
  },
};
