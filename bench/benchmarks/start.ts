import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { ownCpuEver } from "../../tests/support/cpu.ts";
import { newDataDir } from "../../tests/support/data-dir.ts";
import { NODE, ROOT } from "../../tests/support/node.ts";
import { type Benchmark, figure, median } from "../figures.ts";
import { startSite } from "../site.ts";

const STARTS = 5;

export const start: Benchmark = {
  title: "Start",
  method: `The time from \`node dist/server/main.js\`, the program of a release, until the first page is served, and the CPU time of the server's process until then, without PostgreSQL; medians of ${STARTS} starts. In a clone, the program is \`server/main.ts\`, and Node keeps the compiled code of earlier starts, as with \`npm start\`. [Decision 041](decisions/041-a-release-contains-its-packages.md) names the parts of a start.`,
  async measure() {
    for (const parameters of [[], ["--clean"]]) {
      execFileSync(NODE, ["scripts/package.mjs", ...parameters], { cwd: ROOT, stdio: "ignore" });
    }
    // The units and the image of a release keep no compiled code.
    const release = await measureStarts("dist/server/main.js", { NODE_DISABLE_COMPILE_CACHE: "1" });
    const clone = await measureStarts("server/main.ts");
    return [
      figure("start with an existing database", median(release.existing), { atMost: 600, unit: "ms" }),
      figure("CPU time of that start", median(release.cpu), { atMost: 700, unit: "ms" }),
      figure("start with a new database", median(release.fresh), { atMost: 3_000, unit: "ms" }),
      figure("start of a clone with an existing database", median(clone.existing), { unit: "ms" }),
      figure("CPU time of that start of a clone", median(clone.cpu), { unit: "ms" }),
    ];
  },
};

async function measureStarts(program: string, settings: Record<string, string> = {}) {
  const times: Record<"fresh" | "existing" | "cpu", number[]> = { fresh: [], existing: [], cpu: [] };
  // The first start warms up: it reads the files from the disk, and compiles the code of a clone.
  for (let starts = 0; starts <= STARTS; starts++) {
    const dataDir = await newDataDir();
    for (const database of ["fresh", "existing"] as const) {
      const startTime = performance.now();
      const site = await startSite({ ...settings, DATA_DIR: dataDir }, program);
      if (starts > 0) {
        times[database].push(performance.now() - startTime);
        if (database === "existing") times.cpu.push(await ownCpuEver(site.pid));
      }
      await site.stop();
    }
    await rm(dataDir, { recursive: true, force: true });
  }
  return times;
}
