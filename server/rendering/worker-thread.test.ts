import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RenderJob } from "../../common/page-services.ts";
import type { Rendered } from "./text-worker.ts";
import { createWorkerThread } from "./worker-thread.ts";

const job = (text: string): RenderJob => ({ author: "", format: "markdown", text, path: "" });

const OUT_OF_MEMORY = { name: "BudgetExceededError", message: "memory" };

test("a text that needs too much memory exceeds its budget, and the next text is rendered", async () => {
  const worker = createWorkerThread<RenderJob, Rendered>(
    path.join(import.meta.dirname, "text-worker.ts"),
    64,
  );
  await expect(worker.run(job("*a* ".repeat(40_000)), 60_000)).rejects.toMatchObject(OUT_OF_MEMORY);
  const { result } = await worker.run(job("*next*"), 10_000);
  expect(result).toEqual({ html: '<p dir="auto"><em>next</em></p>' });
  worker.stop();
});

/**
 * Uses CPU time, fills the memory by 1 MB after each pause, ends the thread, or fails. Responds with the number of jobs
 * that the thread has done.
 */
type Job = { cpuMs?: number; fillPauseMs?: number; exitCode?: number; error?: string; code?: string };

const THREAD = `
  import { handleJobs } from ${JSON.stringify(import.meta.resolve("./handle-jobs.ts"))};
  let jobs = 0;
  handleJobs(({ cpuMs = 0, fillPauseMs, exitCode, error, code }) => {
    const used = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1_000; };
    for (const before = used(); used() - before < cpuMs; );
    const clock = new Int32Array(new SharedArrayBuffer(4));
    for (const kept = []; fillPauseMs !== undefined; Atomics.wait(clock, 0, 0, fillPauseMs))
      kept.push(new Array(131_072).fill(kept.length));
    if (exitCode !== undefined) process.exit(exitCode);
    if (error !== undefined) throw Object.assign(new Error(error), code && { code });
    return ++jobs;
  });
`;

async function openThread() {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-thread-"));
  const file = path.join(folder, "thread.ts");
  await writeFile(file, THREAD);
  const thread = createWorkerThread<Job, number>(file, 64);
  onTestFinished(async () => {
    thread.stop();
    await rm(folder, { recursive: true });
  });
  return thread;
}

test("the thread's start and earlier jobs don't count towards a job's budget of CPU time", async () => {
  const thread = await openThread();
  for (const number of [1, 2, 3, 4, 5]) {
    const { result, cpuMs } = await thread.run({ cpuMs: 60 }, 150);
    expect(result).toBe(number);
    expect(cpuMs).toBeGreaterThanOrEqual(60);
    expect(cpuMs).toBeLessThan(150);
  }
});

test("a job that uses more CPU time ends with its thread, and the next job has a new one", async () => {
  const thread = await openThread();
  expect((await thread.run({}, 1_000)).result).toBe(1);
  await expect(thread.run({ cpuMs: 60_000 }, 100)).rejects.toMatchObject({
    name: "BudgetExceededError",
    message: "CPU time",
  });
  expect((await thread.run({}, 1_000)).result).toBe(1);
});

// A check of the budget may still be running while the thread ends, so its memory grows at several speeds.
test.each([0, 1, 10])(
  "a job that needs 1 MB more every %i ms exceeds its budget of memory, and the next job has a new thread",
  async (fillPauseMs) => {
    const thread = await openThread();
    await expect(thread.run({ fillPauseMs }, 60_000)).rejects.toMatchObject(OUT_OF_MEMORY);
    expect((await thread.run({}, 1_000)).result).toBe(1);
  },
);

test.each<[what: string, job: Job, error: object]>([
  ["ends its thread", { exitCode: 3 }, { name: "Error", message: "The thread ended with code 3" }],
  ["throws an error", { error: "broken" }, { name: "Error", message: "broken" }],
  ["throws an error with a code", { error: "broken", code: "EIO" }, { name: "Error", message: "broken" }],
])("a job that %s fails with that reason, and the next job has a new thread", async (_, job, error) => {
  const thread = await openThread();
  await thread.start();
  await expect(thread.run(job, 1_000)).rejects.toMatchObject(error);
  expect((await thread.run({}, 1_000)).result).toBe(1);
});

test("every job fails if the thread's file can't be loaded", async () => {
  const thread = createWorkerThread<Job, number>(path.join(tmpdir(), "no-such-thread.ts"), 64);
  for (let attempt = 0; attempt < 2; attempt++) await expect(thread.run({}, 1_000)).rejects.toThrow();
});
