import { Tinypool } from "tinypool";
import type { RenderJob } from "../../app/site.ts";
import { afterRunning } from "../running-time.ts";
import type { Rendered } from "./text-worker.ts";

/** A fresh worker first loads the parsers; no text's time runs before they are there. */
const LONGEST_START_MS = 5_000;

const EMPTY: RenderJob = { kind: "code", text: "", language: "" };

export interface RenderTimes {
  longestRenderMs: number;
  longestWaitMs: number;
}

export function createRenderPool({ longestRenderMs, longestWaitMs }: RenderTimes) {
  let pool: Tinypool | undefined;
  let isLoaded = false;
  let last: Promise<unknown> = Promise.resolve();

  async function runWithin(limitMs: number, job: RenderJob): Promise<Rendered> {
    pool ??= new Tinypool({
      filename: new URL("./text-worker.ts", import.meta.url).href,
      minThreads: 1,
      maxThreads: 1,
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    const abort = new AbortController();
    const stop = afterRunning(limitMs, () => abort.abort());
    return pool.run(job, { signal: abort.signal }).finally(stop);
  }

  async function runNow(job: RenderJob): Promise<Rendered> {
    try {
      if (!isLoaded) await runWithin(LONGEST_START_MS, EMPTY);
      isLoaded = true;
      return await runWithin(longestRenderMs, job);
    } catch (error) {
      isLoaded = false;
      throw error;
    }
  }

  return (job: RenderJob): Promise<Rendered> => {
    const asked = performance.now();
    const turn = last.then(() => {
      if (performance.now() - asked > longestWaitMs) throw new NoTurnError();
      return runNow(job);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}

export class NoTurnError extends Error {
  override readonly name = "NoTurnError";
}
