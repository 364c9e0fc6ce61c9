import { expect, test } from "vitest";
import { Operations } from "./operations.ts";

/** Work that ends when the test says so. Records when it starts. */
function heldWork<Value>(started: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  const work = (signal: AbortSignal) => {
    started.push(name);
    signal.addEventListener("abort", () => started.push(`${name} aborted`));
    return promise;
  };
  return { work, resolve, reject };
}

/** Lets everything run that doesn't wait for a test's work. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("operations with a common subject run in the order of their starts, even after a failure", async () => {
  const operations = new Operations();
  const started: string[] = [];
  const save = heldWork<string>(started, "save");
  const saved = operations.run({ owner: {}, subjects: ["form", "articles/1"] }, save.work);
  const deleted = operations.run({ owner: {}, subjects: ["articles/1"] }, async () => started.push("delete"));
  const opened = operations.run({ owner: {}, subjects: ["form"] }, async () => started.push("open"));
  await settle();
  expect(started).toEqual(["save"]);
  const error = new Error("No network");
  save.reject(error);
  expect(await saved).toEqual({ is: "failed", error });
  expect(await deleted).toEqual({ is: "done", value: 2 });
  expect(await opened).toEqual({ is: "done", value: 3 });
  expect(started).toEqual(["save", "delete", "open"]);
});

test("operations without a common subject run beside each other", async () => {
  const operations = new Operations();
  const owner = {};
  const suspension = heldWork<string>([], "suspend");
  const suspended = operations.run({ owner, subjects: ["members/1"] }, suspension.work);
  expect(await operations.run({ owner, subjects: ["members/2"] }, async () => "other")).toEqual({
    is: "done",
    value: "other",
  });
  suspension.resolve("suspended");
  expect(await suspended).toEqual({ is: "done", value: "suspended" });
});

test("a second start of a pending action runs nothing and is superseded", async () => {
  const operations = new Operations();
  const started: string[] = [];
  const request = { owner: {}, subjects: ["articles/1"] };
  const first = heldWork<string>(started, "first");
  const result = operations.run(request, first.work);
  expect(await operations.run(request, async () => "second")).toEqual({ is: "superseded" });
  expect(operations.isPending(request.owner, request.subjects)).toBe(true);
  first.resolve("deleted");
  expect(await result).toEqual({ is: "done", value: "deleted" });
  expect(operations.isPending(request.owner, request.subjects)).toBe(false);
  expect(await operations.run(request, async () => "third")).toEqual({ is: "done", value: "third" });
});

test.each(["the older result arrives last", "the older result arrives first"])(
  "only the newest read has a result: %s",
  async (order) => {
    const operations = new Operations();
    const started: string[] = [];
    const owner = {};
    const older = heldWork<string>(started, "older");
    const newer = heldWork<string>(started, "newer");
    const results = [older, newer].map(({ work }) =>
      operations.run({ owner, subjects: ["form"], repetition: "replace" }, work),
    );
    const resolvers = [() => older.resolve("old"), () => newer.resolve("new")];
    for (const resolve of order.endsWith("last") ? resolvers.toReversed() : resolvers) {
      resolve();
      await settle();
    }
    expect(await Promise.all(results)).toEqual([{ is: "superseded" }, { is: "done", value: "new" }]);
    expect(started).toContain("older aborted");
  },
);

test("an operation that is cancelled while it waits never starts, and those after it run", async () => {
  const operations = new Operations();
  const started: string[] = [];
  const owner = {};
  const save = heldWork<string>(started, "save");
  void operations.run({ owner: {}, subjects: ["form"] }, save.work);
  const opened = operations.run({ owner, subjects: ["form"] }, async () => started.push("open"));
  const last = operations.run({ owner: {}, subjects: ["form"] }, async () => started.push("last"));
  operations.cancel(owner);
  save.resolve("saved");
  expect(await opened).toEqual({ is: "superseded" });
  expect((await last).is).toBe("done");
  expect(started).toEqual(["save", "last"]);
});

test("an action has failed if its work throws before it waits", async () => {
  const operations = new Operations();
  const result = await operations.run({ owner: {}, subjects: [] }, () => {
    throw new TypeError("Not sent");
  });
  expect(result).toEqual({ is: "failed", error: new TypeError("Not sent") });
});
