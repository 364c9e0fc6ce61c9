import { rm } from "node:fs/promises";
import { ownCpuEver } from "../../tests/support/cpu.ts";
import { newDataDir } from "../../tests/support/data-dir.ts";
import { type Benchmark, figure, median } from "../figures.ts";
import { startSite } from "../site.ts";

const STARTS = 5;

export const start: Benchmark = {
  title: "Start",
  method: `The time from \`node server/main.ts\` until the first page is served, and the CPU time of the server's process until then, without PostgreSQL; medians of ${STARTS} starts. As with \`npm start\`, Node keeps the compiled code of earlier starts.

\`npm start\` and the commands keep compiled code (\`NODE_COMPILE_CACHE\`). The systemd units and the container image don't, because it would save too little. On 2026-11-29, the modules of an installed release took 0.31 s of CPU time in user mode to load with this cache, and 0.37 s without (medians of 9 pairs of runs). A whole start with the embedded database took 2.16 s of CPU time with the cache, and 2.15 s without (5 pairs).`,
  async measure() {
    const times: Record<"fresh" | "existing", number[]> = { fresh: [], existing: [] };
    const cpu: number[] = [];
    // The first start compiles the code.
    for (let starts = 0; starts <= STARTS; starts++) {
      const dataDir = await newDataDir();
      for (const database of ["fresh", "existing"] as const) {
        const startTime = performance.now();
        const site = await startSite({ DATA_DIR: dataDir });
        if (starts > 0) {
          times[database].push(performance.now() - startTime);
          if (database === "existing") cpu.push(await ownCpuEver(site.pid));
        }
        await site.stop();
      }
      await rm(dataDir, { recursive: true, force: true });
    }
    return [
      figure("start with an existing database", median(times.existing), { atMost: 600, unit: "ms" }),
      figure("CPU time of that start", median(cpu), { atMost: 700, unit: "ms" }),
      figure("start with a new database", median(times.fresh), { atMost: 3_000, unit: "ms" }),
    ];
  },
};
