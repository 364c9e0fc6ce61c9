import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { withoutComments } from "../../common/markdown/comments.ts";
import { PENDING_TEXT, type RenderJob } from "../../common/page-services.ts";
import { errorName } from "../config/error-message.ts";
import { programModule } from "../config/program-folder.ts";
import type { Log } from "../http/log.ts";
import { escapeXml } from "../xml.ts";
import { createRenderQueue } from "./render-queue.ts";
import type { Rendered } from "./text-worker.ts";
import { BudgetExceededError, createWorkerThread } from "./worker-thread.ts";

/** In milliseconds of CPU time, except `longestWaitMs`. Prose takes a few milliseconds per 1,000 characters. */
const LIMITS = {
  /** Wall-clock time that a page waits for jobs that are not rendered yet. */
  longestWaitMs: 500,
  /** A job that needs longer is rendered in the background. */
  quickTextMs: 300,
  /**
   * If an author's jobs need this long in total within a minute, the author's next jobs are rendered in the background.
   * A job that exceeds `quickTextMs` reaches this limit alone, because it is counted as `quickAuthorMs`.
   */
  quickAuthorMs: 1_000,
  /** A job that needs longer even in the background is shown as plain text. */
  backgroundMs: (characters: number) => Math.min(2_000 + characters / 10, 30_000),
};
const MINUTE_MS = 60_000;
const CACHE_BYTES = 32 * 1024 * 1024;
const MAX_SLOW_TEXTS = 10_000;
const MAX_AUTHORS = 1_000;
/** Enough for 500,000 characters of prose, or 400,000 with much markup. A job that needs more exceeds its budget. */
const HEAP_MB = 208;

const createTextWorker = () =>
  createWorkerThread<RenderJob, Rendered>(programModule("server/rendering/text-worker"), HEAP_MB);

/** Returns HTML in the order of the jobs, and plain text for each job that isn't ready in time or has failed. */
export type Render = (jobs: RenderJob[]) => Promise<string[]>;

/**
 * Renders in separate threads, so that slow jobs don't block the thread that serves pages
 * (docs/decisions/013-rendering-texts.md).
 */
export function createRenderer(log: Log, limits = LIMITS): Render {
  const cache = new LRUCache<string, string>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (html) => html.length * 2 + 256,
  });
  const slowTexts = new LRUCache<string, true>({ max: MAX_SLOW_TEXTS });
  const cpuMsOfAuthors = new LRUCache<string, number>({
    max: MAX_AUTHORS,
    ttl: MINUTE_MS,
    noUpdateTTL: true,
  });
  const quickWorker = createTextWorker();
  const backgroundWorker = createTextWorker();
  // The first jobs after a start wait until the parsers are loaded.
  const firstStart = quickWorker.start().catch(logFailure);

  const quickQueue = createRenderQueue({
    async render(key, job) {
      if (isSlow(key, job)) return void backgroundQueue.add(key, job);
      try {
        const { result, cpuMs } = await quickWorker.run(job, limits.quickTextMs);
        countCpuTime(job.author, cpuMs);
        store(key, job, result);
      } catch (error) {
        if (!(error instanceof BudgetExceededError)) throw error;
        slowTexts.set(key, true);
        countCpuTime(job.author, limits.quickAuthorMs);
        backgroundQueue.add(key, job);
      }
    },
    onError: logFailure,
  });

  const backgroundQueue = createRenderQueue({
    async render(key, job) {
      try {
        const { result } = await backgroundWorker.run(job, limits.backgroundMs(job.text.length));
        store(key, job, result);
      } catch (error) {
        if (!(error instanceof BudgetExceededError)) throw error;
        store(key, job, { failure: errorName(error) });
      }
    },
    onError: logFailure,
    // Free the 40 MB that the worker's parsers take, because most sites rarely have slow jobs.
    onIdle: () => backgroundWorker.stop(),
  });

  function isSlow(key: string, { author }: RenderJob): boolean {
    return slowTexts.has(key) || (cpuMsOfAuthors.get(author) ?? 0) >= limits.quickAuthorMs;
  }

  function countCpuTime(author: string, cpuMs: number): void {
    cpuMsOfAuthors.set(author, (cpuMsOfAuthors.get(author) ?? 0) + cpuMs);
  }

  function store(key: string, job: RenderJob, rendered: Rendered): void {
    if ("failure" in rendered)
      log.warn(
        { format: job.format, reason: rendered.failure, characters: job.text.length },
        "text.unrendered",
      );
    cache.set(key, "html" in rendered ? rendered.html : plainText(job));
  }

  function logFailure(error: unknown): void {
    log.error({ reason: errorName(error) }, "rendering.failed");
  }

  /** Resolves when the job has been rendered, or can't be soon because it failed, is slow or found the queue full. */
  async function renderSoon(key: string, job: RenderJob): Promise<void> {
    if (isSlow(key, job)) return void backgroundQueue.add(key, job);
    await firstStart;
    await quickQueue.add(key, job);
  }

  return async (jobs) => {
    const keys = jobs.map((job) => hash("sha256", JSON.stringify(job), "base64"));
    const ready = keys.map((key) => cache.get(key));
    const missing = jobs.flatMap((job, index) =>
      ready[index] === undefined ? [renderSoon(keys[index] ?? "", job)] : [],
    );
    if (missing.length > 0) await settledWithin(limits.longestWaitMs, missing, firstStart);
    return jobs.map(
      (job, index) => ready[index] ?? cache.get(keys[index] ?? "") ?? plainText(job, PENDING_TEXT),
    );
  };
}

async function settledWithin(ms: number, work: Promise<void>[], start: Promise<void>): Promise<void> {
  const timeUp = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  void start.then(() => {
    timer = setTimeout(timeUp.resolve, ms);
  });
  await Promise.race([Promise.all(work), timeUp.promise]);
  clearTimeout(timer);
}

function plainText({ format, text }: RenderJob, start = '<p class="plain-text">'): string {
  return format === "code" ? escapeXml(text) : `${start}${escapeXml(withoutComments(text))}</p>`;
}
