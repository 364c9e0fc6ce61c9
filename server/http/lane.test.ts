import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLane, type LaneLimits } from "./lane.ts";

const LIMITS: LaneLimits = {
  atOnce: 3,
  atOncePerClient: 2,
  waiting: 4,
  waitingPerClient: 2,
  longestWaitMs: 1_000,
};

const settled = () => new Promise(setImmediate);

// In real time, work that still waits when a test ends would be refused in the middle of another file's tests.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** A lane whose work lasts until it is finished by name. */
function openLane(limits: Partial<LaneLimits> = {}) {
  const lane = createLane({ ...LIMITS, ...limits });
  const started: string[] = [];
  const finishers = new Map<string, () => void>();
  const run = (client: string, name: string) =>
    lane(client, () => {
      started.push(name);
      return new Promise<void>((resolve) => finishers.set(name, resolve));
    });
  const finish = async (name: string) => {
    finishers.get(name)?.();
    await settled();
  };
  return { run, finish, started };
}

test("one client leaves a place free for another", async () => {
  const { run, started } = openLane();
  void run("flood", "one");
  void run("flood", "two");
  void run("flood", "three");
  await settled();
  expect(started).toEqual(["one", "two"]);
  void run("other", "its own");
  await settled();
  expect(started).toEqual(["one", "two", "its own"]);
});

test("clients that wait take turns, however many requests one of them has", async () => {
  const { run, finish, started } = openLane({ atOnce: 1, atOncePerClient: 1 });
  void run("flood", "flood 1");
  void run("flood", "flood 2");
  void run("flood", "flood 3");
  void run("other", "other 1");
  await settled();
  await finish("flood 1");
  expect(started).toEqual(["flood 1", "other 1"]);
  await finish("other 1");
  await finish("flood 2");
  expect(started).toEqual(["flood 1", "other 1", "flood 2", "flood 3"]);
});

test("a client with too many waiting is refused at once, another is not", async () => {
  const { run, started } = openLane();
  for (const name of ["1", "2", "3", "4"]) void run("flood", name);
  await expect(run("flood", "5")).rejects.toMatchObject({ name: "AdmissionError", status: 429 });
  void run("other", "its own");
  await settled();
  expect(started).toContain("its own");
});

test("when too many wait in all, it is nobody's own fault", async () => {
  const { run } = openLane();
  for (const client of ["a", "b", "c", "d", "e", "f", "g"]) void run(client, client);
  await expect(run("h", "h")).rejects.toMatchObject({ status: 503 });
});

test("work that would wait longer than anyone does is refused before it waits", async () => {
  const { run, finish } = openLane({ atOnce: 1, atOncePerClient: 1, waitingPerClient: 100, waiting: 100 });
  void run("a", "slow");
  await settled();
  vi.advanceTimersByTime(10_000);
  await finish("slow");
  void run("a", "next");
  void run("a", "waits");
  await expect(run("a", "too late")).rejects.toMatchObject({ name: "AdmissionError", status: 429 });
});

test("one standstill refuses nobody who comes after it", async () => {
  const { run, finish, started } = openLane({ waitingPerClient: 100, waiting: 100 });
  const work = async (names: string[], milliseconds: number) => {
    for (const name of names) void run(name, name);
    await settled();
    vi.advanceTimersByTime(milliseconds);
    for (const name of names) await finish(name);
  };
  for (const name of ["1", "2", "3"]) await work([name], 5);
  await work(["4", "5", "6"], 10_000);
  const after = Array.from({ length: 8 }, (_, number) => `after ${number}`);
  for (const name of after) void run("a", name);
  await settled();
  for (const name of after) await finish(name);
  expect(started.slice(-8)).toEqual(after);
});

test("work that has waited behind work that stands still is refused, and its place in the queue is free", async () => {
  const { run, finish, started } = openLane({ atOnce: 1, atOncePerClient: 1, waiting: 2 });
  void run("a", "stuck");
  const own = expect(run("a", "own")).rejects.toMatchObject({ name: "AdmissionError", status: 429 });
  const other = expect(run("b", "other")).rejects.toMatchObject({ name: "AdmissionError", status: 503 });
  await settled();
  vi.advanceTimersByTime(LIMITS.longestWaitMs);
  await Promise.all([own, other]);
  void run("b", "later");
  await finish("stuck");
  expect(started).toEqual(["stuck", "later"]);
});

test("work that waits in a lane that moves is not refused, however long it takes", async () => {
  const { run, finish, started } = openLane({ atOnce: 1, atOncePerClient: 1, waitingPerClient: 3 });
  for (const name of ["1", "2", "3", "4"]) void run("a", name);
  for (const name of ["1", "2", "3"]) {
    await settled();
    vi.advanceTimersByTime(LIMITS.longestWaitMs * 0.9);
    await finish(name);
  }
  expect(started).toEqual(["1", "2", "3", "4"]);
});

test("a place is free again after work that failed", async () => {
  const lane = createLane({ ...LIMITS, atOnce: 1, atOncePerClient: 1, waiting: 0 });
  const fail = () => Promise.reject(new Error("no"));
  await expect(lane("a", fail)).rejects.toThrow("no");
  await expect(lane("a", async () => "yes")).resolves.toBe("yes");
});
