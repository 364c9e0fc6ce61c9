import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { FromWorker } from "./handle-jobs.ts";

const CHECK_INTERVAL_MS = 25;
/** V8's limit is higher: a thread that reaches it can abort the whole process (nodejs/node#47224). */
const V8_LIMIT = 1.25;
/** V8 can move all young objects to the old generation at once. The fewer they are, the less they exceed its limit. */
const YOUNG_GENERATION_MB = 16;

/** The job exceeded its budget of CPU time or memory. */
export class BudgetExceededError extends Error {
  override readonly name = "BudgetExceededError";
}

interface RunningThread {
  worker: Worker;
  /** The milliseconds of CPU time that the thread had used before the current job. */
  cpuMs: number;
}

/**
 * Manages a thread that does one job at a time. It runs the file, which calls `handleJobs`, and starts with its first
 * job. Budgets are in CPU time, so that jobs don't fail on a busy machine.
 */
export function createWorkerThread<Job, Result>(file: string, heapMb: number) {
  let thread: Promise<RunningThread> | undefined;

  async function startThread(): Promise<RunningThread> {
    const worker = new Worker(file, {
      resourceLimits: {
        maxOldGenerationSizeMb: heapMb * V8_LIMIT,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    worker.unref();
    const { cpuMs } = await nextMessage<Result>(worker);
    // An unhandled `error` event of an idle thread would crash the process.
    worker.on("error", forget);
    return { worker, cpuMs };
  }

  function forget(): void {
    thread = undefined;
  }

  function start(): Promise<RunningThread> {
    if (!thread) {
      thread = startThread();
      thread.catch(forget);
    }
    return thread;
  }

  function stop(): void {
    void thread?.then(({ worker }) => worker.terminate()).catch(() => undefined);
    forget();
  }

  return {
    /** Resolves once the thread has loaded its modules. */
    async start(): Promise<void> {
      await start();
    },
    stop,
    /**
     * Rejects with BudgetExceededError if the job needs more than `budgetMs` of CPU time, or too much memory. Don't
     * start another job before the promise has settled.
     */
    async run(job: Job, budgetMs: number): Promise<{ result: Result; cpuMs: number }> {
      const running = await start();
      const { worker } = running;
      const finished = new AbortController();
      worker.ref();
      try {
        worker.postMessage(job);
        const { result, cpuMs } = await Promise.race([
          nextMessage<Result>(worker, finished.signal),
          exited(worker, finished.signal),
          watchBudget(running, budgetMs, heapMb, finished.signal),
        ]);
        const used = cpuMs - running.cpuMs;
        running.cpuMs = cpuMs;
        return { result, cpuMs: used };
      } catch (error) {
        stop();
        throw isOutOfMemory(error) ? new BudgetExceededError("memory") : error;
      } finally {
        finished.abort();
        worker.unref();
      }
    },
  };
}

async function nextMessage<Result>(worker: Worker, signal?: AbortSignal): Promise<FromWorker<Result>> {
  const [message] = await once(worker, "message", signal && { signal });
  return message;
}

/** Rejects once the thread has ended. If it ended because of an error, `nextMessage` rejects with that error first. */
async function exited(worker: Worker, signal: AbortSignal): Promise<never> {
  const [code] = await once(worker, "exit", { signal });
  throw new Error(`The thread ended with code ${code}`);
}

async function watchBudget(
  { worker, cpuMs }: RunningThread,
  budgetMs: number,
  heapMb: number,
  signal: AbortSignal,
): Promise<never> {
  while (true) {
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
    signal.throwIfAborted();
    // Both reject once the thread has ended. That can be before the thread's own error arrives.
    const usage = await Promise.all([worker.cpuUsage(), worker.getHeapStatistics()]).catch(() => undefined);
    if (usage === undefined) continue;
    const [{ user, system }, heap] = usage;
    if ((user + system) / 1_000 - cpuMs > budgetMs) throw new BudgetExceededError("CPU time");
    if (heap.used_heap_size > heapMb * 2 ** 20) throw new BudgetExceededError("memory");
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
