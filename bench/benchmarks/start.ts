import { rm } from "node:fs/promises";
import { newDataDir } from "../../tests/support/data-dir.ts";
import { type Benchmark, figure, median } from "../figures.ts";
import { startSite } from "../site.ts";

const STARTS = 5;

export const start: Benchmark = {
  title: "Start",
  method: `The time from \`node server/main.ts\` until the first page is served; medians of ${STARTS} starts.`,
  async measure() {
    const times: Record<"fresh" | "existing", number[]> = { fresh: [], existing: [] };
    for (let starts = 0; starts < STARTS; starts++) {
      const dataDir = await newDataDir();
      for (const database of ["fresh", "existing"] as const) {
        const startTime = performance.now();
        const site = await startSite({ DATA_DIR: dataDir });
        times[database].push(performance.now() - startTime);
        await site.stop();
      }
      await rm(dataDir, { recursive: true, force: true });
    }
    return [
      figure("start with an existing database", median(times.existing), { atMost: 1_000, unit: "ms" }),
      figure("start with a new database", median(times.fresh), { atMost: 3_000, unit: "ms" }),
    ];
  },
};
