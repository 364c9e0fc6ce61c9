import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { RenderJob } from "../../app/site.ts";
import type { Log } from "../http/log.ts";
import { afterRunning } from "../running-time.ts";
import { createRenderPool, NoTurnError, type RenderTimes } from "./render-pool.ts";

const TIMES: RenderTimes = { longestRenderMs: 500, longestWaitMs: 3_000 };
const CACHE_BYTES = 32 * 1024 * 1024;
/** After a timeout a text rests, four times as long after each further one. */
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 3_600_000;
const HOPELESS_TRIES = 4;
const REMEMBERED_SLOW_TEXTS = 10_000;

export interface Renderer {
  /** What is not ready in time is plain text; `onUnfinished` says that another try may get more. */
  render(jobs: RenderJob[], onUnfinished?: () => void): Promise<string[]>;
  close(): Promise<void>;
}

/** Renders members' texts in a worker, so that no text can hold up the server (docs/decisions/013). */
export function createRenderer(log: Log, times = TIMES): Renderer {
  const pool = createRenderPool(times);
  const cache = new LRUCache<string, string>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (html) => html.length * 2 + 256,
  });
  const pending = new Map<string, Promise<string | null>>();
  const slow = new LRUCache<string, { tries: number; restsUntil: number }>({ max: REMEMBERED_SLOW_TEXTS });

  async function renderOnce(key: string, job: RenderJob): Promise<string | null> {
    try {
      const rendered = await pool.run(job);
      if ("failure" in rendered) logPlainText(job, rendered.failure);
      const html = "html" in rendered ? rendered.html : plainText(job);
      slow.delete(key);
      cache.set(key, html);
      return html;
    } catch (error) {
      if (error instanceof NoTurnError) return null;
      logPlainText(job, error instanceof Error ? error.name : "unknown");
      const tries = (slow.get(key)?.tries ?? 0) + 1;
      const rest = Math.min(FIRST_REST_MS * 4 ** (tries - 1), LONGEST_REST_MS);
      slow.set(key, { tries, restsUntil: performance.now() + rest });
      return tries < HOPELESS_TRIES ? null : plainText(job);
    }
  }

  function rendered(job: RenderJob): string | Promise<string | null> | null {
    const key = keyOf(job);
    const known = cache.get(key) ?? pending.get(key);
    if (known !== undefined) return known;
    const past = slow.get(key);
    if (past && performance.now() < past.restsUntil)
      return past.tries < HOPELESS_TRIES ? null : plainText(job);
    const html = renderOnce(key, job).finally(() => pending.delete(key));
    pending.set(key, html);
    return html;
  }

  function logPlainText(job: RenderJob, reason: string): void {
    log.warn("text.unrendered", { kind: job.kind, reason, characters: job.text.length });
  }

  return {
    async render(jobs, onUnfinished) {
      const timeUp = Promise.withResolvers<null>();
      const stop = afterRunning(times.longestWaitMs, () => timeUp.resolve(null));
      const all = await Promise.all(jobs.map((job) => Promise.race([rendered(job), timeUp.promise])));
      stop();
      if (all.includes(null)) onUnfinished?.();
      return all.map((html, index) => html ?? plainText(jobs[index] as RenderJob));
    },
    close: () => pool.close(),
  };
}

function keyOf(job: RenderJob): string {
  const hash = createHash("sha256").update(job.kind);
  if (job.kind === "code") hash.update(`\0${job.language}`);
  return hash.update("\0").update(job.text).digest("base64");
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function plainText({ kind, text }: RenderJob): string {
  const escaped = text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
  return kind === "code" ? escaped : `<p class="plain-text">${escaped}</p>`;
}
