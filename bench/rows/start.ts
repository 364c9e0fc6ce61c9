import { rm } from "node:fs/promises";
import { newDataDir } from "../../tests/support/data-dir.ts";
import { atMost, type Goal, median, shown } from "../outcome.ts";
import { answering, spawnSite } from "../site.ts";

const STARTS = 5;

/** Milliseconds from `node` to the first page. */
async function startOn(dataDir: string): Promise<number> {
  const begun = performance.now();
  const site = await spawnSite(dataDir);
  await answering(site);
  const taken = performance.now() - begun;
  await site.stop();
  return taken;
}

export const start: Goal = {
  name: "start",
  title: "Start",
  method: `From \`node server/main.ts\` to the first page that it answers; ${STARTS} times, the middle one counts.`,
  async measure() {
    const fresh: number[] = [];
    const existing: number[] = [];
    for (let starts = 0; starts < STARTS; starts++) {
      const dataDir = await newDataDir();
      fresh.push(await startOn(dataDir));
      existing.push(await startOn(dataDir));
      await rm(dataDir, { recursive: true, force: true });
    }
    return [
      {
        subject: "existing database",
        asked: "≤ 1 s",
        measured: `${shown(median(existing))} ms`,
        isReached: atMost(1000, median(existing)),
      },
      {
        subject: "new database",
        asked: "≤ 3 s",
        measured: `${shown(median(fresh))} ms`,
        isReached: atMost(3000, median(fresh)),
      },
    ];
  },
};
