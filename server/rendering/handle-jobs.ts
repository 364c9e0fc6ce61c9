import { parentPort } from "node:worker_threads";

export interface FromWorker<Result> {
  result: Result;
  /** The thread's total CPU time so far. */
  cpuMs: number;
}

/** Handles the jobs that `createWorkerThread` sends to this thread. Call it once all modules are loaded. */
export function handleJobs<Job, Result>(handle: (job: Job) => Result | Promise<Result>): void {
  function send(result: Result | null): void {
    const { user, system } = process.threadCpuUsage();
    parentPort?.postMessage({ result, cpuMs: (user + system) / 1_000 } satisfies FromWorker<Result | null>);
  }
  parentPort?.on("message", async (job: Job) => send(await handle(job)));
  // The first message means that the thread is ready.
  send(null);
}
