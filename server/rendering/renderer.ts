import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import type { RenderJob } from "../../app/site.ts";
import type { Log } from "../http/log.ts";

/** An article that takes longer than this is shown as plain text: the parsers' worst cases are quadratic. */
const LONGEST_RENDER_MS = 500;
/** A fresh worker first loads the parsers; no text's time runs before they are there. */
const LONGEST_START_MS = 5_000;
/** No page waits longer for its texts, however many of them are slow. */
const LONGEST_WAIT_MS = 3_000;
const CACHE_BYTES = 32 * 1024 * 1024;

interface Waiting {
  id: number;
  job: RenderJob;
  done(html: string | null, reason?: string): void;
}

/** Renders members' texts in a thread of its own, so that no text can hold up the server. */
export interface Renderer {
  /**
   * Takes jobs and what to call when time runs out, returns their HTML in the same order. What is not ready by then
   * is plain text this time; the thread goes on, and the next to ask gets more.
   */
  render(jobs: RenderJob[], onUnfinished?: () => void): Promise<string[]>;
  close(): Promise<void>;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Takes a job, returns its text escaped: what is shown when it cannot be rendered. */
function plainText({ kind, text }: RenderJob): string {
  const escaped = text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
  return kind === "markdown" ? `<p class="plain-text">${escaped}</p>` : escaped;
}

function keyOf(job: RenderJob): string {
  const hash = createHash("sha256").update(job.kind);
  if (job.kind === "code") hash.update(`\0${job.language}`);
  return hash.update("\0").update(job.text).digest("base64");
}

/** One worker thread and the jobs that wait for it, one at a time. */
class RenderThread {
  #worker: Worker | null = null;
  #isReady = false;
  #current: Waiting | null = null;
  #timer: NodeJS.Timeout | undefined;
  readonly #queue: Waiting[] = [];
  #nextId = 0;

  run(job: RenderJob): Promise<{ html: string | null; reason: string | undefined }> {
    return new Promise((resolve) => {
      this.#queue.push({ id: this.#nextId++, job, done: (html, reason) => resolve({ html, reason }) });
      this.#next();
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    worker.unref();
    worker.once("message", () => {
      if (this.#worker !== worker) return;
      this.#isReady = true;
      worker.on("message", ({ id, html, failure }: { id: number; html?: string; failure?: string }) => {
        if (this.#current?.id === id) this.#finish(html ?? null, failure);
      });
      this.#send();
    });
    worker.on("error", (error) => this.#replace(worker, error.name));
    worker.on("exit", () => this.#replace(worker, "exit"));
    return worker;
  }

  #replace(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#isReady = false;
    void worker.terminate();
    if (this.#current) this.#finish(null, reason);
  }

  #finish(html: string | null, reason?: string): void {
    clearTimeout(this.#timer);
    const finished = this.#current;
    this.#current = null;
    finished?.done(html, reason);
    this.#next();
  }

  #next(): void {
    if (this.#current) return;
    const next = this.#queue.shift();
    if (!next) return;
    this.#current = next;
    this.#worker ??= this.#start();
    if (this.#isReady) this.#send();
    else this.#limit(LONGEST_START_MS);
  }

  #send(): void {
    if (!this.#current) return;
    this.#limit(LONGEST_RENDER_MS);
    this.#worker?.postMessage({ id: this.#current.id, job: this.#current.job });
  }

  #limit(milliseconds: number): void {
    const worker = this.#worker;
    clearTimeout(this.#timer);
    if (worker) this.#timer = setTimeout(() => this.#replace(worker, "timeout"), milliseconds);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

/**
 * Takes the log, returns a renderer that keeps the HTML of each text by its hash, so that a text is rendered
 * once per saved version. What fails or takes too long is kept as plain text, and logged without its content.
 */
export function createRenderer(log: Log): Renderer {
  const thread = new RenderThread();
  const cache = new LRUCache<string, { html: Promise<string>; bytes: number }>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });

  async function renderOnce(job: RenderJob): Promise<string> {
    const { html, reason } = await thread.run(job);
    if (html !== null) return html;
    log.warn("render.plain-text", { kind: job.kind, reason, characters: job.text.length });
    return plainText(job);
  }

  function rendered(job: RenderJob): Promise<string> {
    const key = keyOf(job);
    const known = cache.get(key);
    if (known) return known.html;
    // The HTML is not there yet; it is within a few times of its source.
    const entry = { html: renderOnce(job), bytes: job.text.length * 3 + 256 };
    cache.set(key, entry);
    return entry.html;
  }

  return {
    async render(jobs, onUnfinished) {
      let timer: NodeJS.Timeout | undefined;
      const timeUp = new Promise<null>((resolve) => {
        timer = setTimeout(resolve, LONGEST_WAIT_MS, null);
      });
      const all = await Promise.all(jobs.map((job) => Promise.race([rendered(job), timeUp])));
      clearTimeout(timer);
      if (all.includes(null)) onUnfinished?.();
      return all.map((html, index) => html ?? plainText(jobs[index] as RenderJob));
    },
    close: () => thread.close(),
  };
}
