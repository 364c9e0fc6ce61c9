import type { RenderJob } from "../../common/page-services.ts";

/**
 * How much of one author's text can be in the queue: about 20 long articles. Jobs above the limit aren't queued; the
 * next request for their page tries again.
 */
const MAX_CHARACTERS_PER_AUTHOR = 4_000_000;

interface QueueOptions {
  render(key: string, job: RenderJob): Promise<void>;
  onError(error: unknown): void;
  onIdle?(): void;
}

/**
 * Renders one job at a time. Authors take turns, so that one author's many jobs don't delay the other authors. An
 * author's shortest job is rendered first, because short jobs are rarely slow.
 */
export function createRenderQueue({ render, onError, onIdle }: QueueOptions) {
  const authors = new Map<string, { jobs: Map<string, RenderJob>; characters: number }>();
  const pending = new Map<string, PromiseWithResolvers<void>>();
  let isRunning = false;

  function takeNext(): [key: string, job: RenderJob] | undefined {
    for (const [author, queued] of authors) {
      const shortest = [...queued.jobs].reduce((one, other) =>
        other[1].text.length < one[1].text.length ? other : one,
      );
      const [key, job] = shortest;
      queued.jobs.delete(key);
      queued.characters -= job.text.length;
      // Move the author to the end of the queue.
      authors.delete(author);
      if (queued.jobs.size > 0) authors.set(author, queued);
      return shortest;
    }
    return undefined;
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    // Wait until the page has added all its jobs, so that the shortest one can be rendered first.
    await new Promise((resolve) => setImmediate(resolve));
    for (let next = takeNext(); next; next = takeNext()) {
      const [key, job] = next;
      await render(key, job).catch(onError);
      pending.get(key)?.resolve();
      pending.delete(key);
    }
    isRunning = false;
    onIdle?.();
  }

  return {
    /** Resolves when the job has been rendered or has failed, and immediately if the queue has no room for it. */
    async add(key: string, job: RenderJob): Promise<void> {
      const existing = pending.get(key);
      if (existing) return existing.promise;
      const queued = authors.get(job.author) ?? { jobs: new Map<string, RenderJob>(), characters: 0 };
      if (queued.characters + job.text.length > MAX_CHARACTERS_PER_AUTHOR) return;
      queued.jobs.set(key, job);
      queued.characters += job.text.length;
      authors.set(job.author, queued);
      const turn = Promise.withResolvers<void>();
      pending.set(key, turn);
      void run();
      return turn.promise;
    },
  };
}
