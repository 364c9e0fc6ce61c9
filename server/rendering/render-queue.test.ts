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
