import type { Worker } from "node:worker_threads";
import { afterAll } from "vitest";

// Each site in the test's process has a thread that renders texts, which takes 50 MB until the process exits. Files share
// the process, so end the threads after each file.
const threads: Worker[] = [];
const record = (thread: Worker) => void threads.push(thread);
process.on("worker", record);

afterAll(async () => {
  process.off("worker", record);
  await Promise.all(threads.map((thread) => thread.terminate()));
});
