import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { RenderJob } from "../../app/site.ts";
import { errorName } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import { afterRunning } from "../running-time.ts";
import { xmlText } from "../xml.ts";
import { createRenderPool, NoTurnError, type RenderTimes } from "./render-pool.ts";

const TIMES: RenderTimes = { longestRenderMs: 500, longestWaitMs: 3_000 };
const CACHE_BYTES = 32 * 1024 * 1024;
/** After a timeout a text rests, four times as long after each further one. */
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 3_600_000;
const HOPELESS_TRIES = 4;
const REMEMBERED_SLOW_TEXTS = 10_000;

/** What is not ready in time is plain text, and not final where another try may get more. */
export type Render = (jobs: RenderJob[]) => Promise<{ html: string[]; isFinal: boolean }>;

/** Renders members' texts in a worker, so that no text can hold up the server (docs/decisions/013). */
export function createRenderer(log: Log, times = TIMES): Render {
  const runInPool = createRenderPool(times);
  const cache = new LRUCache<string, string, () => Promise<string | undefined>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (html) => html.length * 2 + 256,
    // Who waits for a text gets it, even where the cache has no room for it.
    ignoreFetchAbort: true,
    fetchMethod: (_key, _old, { context: render }) => render(),
  });
  const slow = new LRUCache<string, { tries: number; restsUntil: number }>({ max: REMEMBERED_SLOW_TEXTS });

  async function renderOnce(key: string, job: RenderJob): Promise<string | undefined> {
    try {
      const rendered = await runInPool(job);
      if ("failure" in rendered) logPlainText(job, rendered.failure);
      const html = "html" in rendered ? rendered.html : plainText(job);
      slow.delete(key);
      return html;
    } catch (error) {
      if (error instanceof NoTurnError) return undefined;
      logPlainText(job, errorName(error));
      const tries = (slow.get(key)?.tries ?? 0) + 1;
      const rest = Math.min(FIRST_REST_MS * 4 ** (tries - 1), LONGEST_REST_MS);
      slow.set(key, { tries, restsUntil: performance.now() + rest });
      return undefined;
    }
  }

  /** Null where another try may get more than plain text. */
  async function rendered(job: RenderJob): Promise<string | null> {
    const key = hash("sha256", JSON.stringify(job), "base64");
    const isResting = performance.now() < (slow.get(key)?.restsUntil ?? 0);
    const html = isResting ? undefined : await cache.fetch(key, { context: () => renderOnce(key, job) });
    if (html !== undefined) return html;
    return (slow.get(key)?.tries ?? 0) < HOPELESS_TRIES ? null : plainText(job);
  }

  function logPlainText(job: RenderJob, reason: string): void {
    log.warn({ kind: job.kind, reason, characters: job.text.length }, "text.unrendered");
  }

  return async (jobs) => {
    const timeUp = Promise.withResolvers<null>();
    const stop = afterRunning(times.longestWaitMs, () => timeUp.resolve(null));
    const all = await Promise.all(jobs.map((job) => Promise.race([rendered(job), timeUp.promise])));
    stop();
    const html = all.map((each, index) => each ?? plainText(jobs[index] as RenderJob));
    return { html, isFinal: !all.includes(null) };
  };
}

function plainText({ kind, text }: RenderJob): string {
  const escaped = xmlText(text);
  return kind === "code" ? escaped : `<p class="plain-text">${escaped}</p>`;
}
