import { expect, test, vi } from "vitest";
import type { RenderJob } from "../../common/page-services.ts";
import { createRenderQueue } from "./render-queue.ts";

const job: RenderJob = { author: "ada", format: "code", text: "select 1", language: "sql" };

test("a job that was rendered or failed before is rendered again when it is added again", async () => {
  const render = vi.fn(async () => undefined);
  const onError = vi.fn();
  const queue = createRenderQueue({ render, onError });
  await queue.add("key", job);
  await queue.add("key", job);
  expect(render).toHaveBeenCalledTimes(2);
  render.mockRejectedValueOnce(new Error("The worker ended"));
  await queue.add("key", job);
  expect(onError).toHaveBeenCalledOnce();
  await queue.add("key", job);
  expect(render).toHaveBeenCalledTimes(4);
});

test("a job that is added twice before it is rendered is rendered once", async () => {
  const render = vi.fn(async () => undefined);
  const queue = createRenderQueue({ render, onError: vi.fn() });
  await Promise.all([queue.add("key", job), queue.add("key", job)]);
  expect(render).toHaveBeenCalledOnce();
});

test("authors take turns, and an author's shortest job is rendered first", async () => {
  const order: string[] = [];
  const render = async (key: string) => void order.push(key);
  const queue = createRenderQueue({ render, onError: vi.fn() });
  const jobs = {
    e30: ["eve", 30],
    e10: ["eve", 10],
    e20: ["eve", 20],
    a90: ["ada", 90],
    a40: ["ada", 40],
  } as const;
  await Promise.all(
    Object.entries(jobs).map(([key, [author, length]]) =>
      queue.add(key, { ...job, author, text: "x".repeat(length) }),
    ),
  );
  expect(order).toEqual(["e10", "a40", "e20", "a90", "e30"]);
});

/** Opens a queue. Each of its jobs runs until the test calls `finish`. */
function openQueue() {
  const running: { key: string; finish: () => void }[] = [];
  const onIdle = vi.fn();
  const render = (key: string) => new Promise<void>((resolve) => void running.push({ key, finish: resolve }));
  const queue = createRenderQueue({ render, onError: vi.fn(), onIdle });
  const expectRunning = (...keys: string[]) =>
    vi.waitFor(() => expect(running.map(({ key }) => key)).toEqual(keys));
  return { ...queue, onIdle, expectRunning, finish: () => running.shift()?.finish() };
}

test("one job runs at a time, also if others are added meanwhile, and the queue is idle once after the last one", async () => {
  const { add, onIdle, expectRunning, finish } = openQueue();
  const jobs = [add("1", job)];
  await expectRunning("1");
  jobs.push(add("2", job), add("3", { ...job, author: "eve" }));
  await new Promise((resolve) => setImmediate(resolve));
  await expectRunning("1");
  finish();
  await expectRunning("2");
  finish();
  await expectRunning("3");
  expect(onIdle).not.toHaveBeenCalled();
  finish();
  await Promise.all(jobs);
  await vi.waitFor(() => expect(onIdle).toHaveBeenCalledOnce());
  jobs.push(add("4", job));
  await expectRunning("4");
  finish();
  await Promise.all(jobs);
  await vi.waitFor(() => expect(onIdle).toHaveBeenCalledTimes(2));
});

test("four million characters of an author can be in the queue, not one more until a job has run, and other authors have their own", async () => {
  const { add, expectRunning, finish } = openQueue();
  const long = (length: number, author = "ada") => ({ ...job, author, text: "x".repeat(length) });
  const jobs = [add("first", long(1_000_000)), add("second", long(1_500_000)), add("third", long(1_500_000))];
  // These exceed the limit, so they aren't queued.
  await add("fourth", long(1));
  await add("fifth", long(1));
  await expectRunning("first");
  jobs.push(add("of another author", long(4_000_000, "eve")), add("fourth", long(1_000_000)));
  await add("sixth", long(1));
  for (const key of ["fourth", "of another author", "second", "third"]) {
    finish();
    await expectRunning(key);
  }
  finish();
  await Promise.all(jobs);
});
