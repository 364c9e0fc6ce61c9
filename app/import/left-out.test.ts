import * as v from "valibot";
import { expect, test } from "vitest";
import { attempt, type LeftOut, ReadError, validate } from "./left-out.ts";

test.each([
  [new ReadError("it is\ndamaged"), "it is\ndamaged"],
  [new RangeError("Invalid length\nof the array"), "cannot be read: Invalid length"],
  ["odd", "cannot be read: odd"],
])("work that throws %s leaves its source out with a reason", async (thrown, reason) => {
  const leftOut: LeftOut[] = [{ source: "a.md", reason: "is empty" }];
  await attempt(leftOut, "b.md", () => Promise.reject(thrown));
  expect(leftOut).toEqual([
    { source: "a.md", reason: "is empty" },
    { source: "b.md", reason },
  ]);
});

test("work that succeeds leaves nothing out", async () => {
  const leftOut: LeftOut[] = [];
  await attempt(leftOut, "b.md", () => undefined);
  expect(leftOut).toEqual([]);
});

test("a value has its first broken rule as the reason, and a wrong type the given one", () => {
  const schema = v.object({
    name: v.pipe(
      v.string(),
      v.check((name) => name !== "", "has no name"),
    ),
    title: v.pipe(
      v.string(),
      v.check((title) => title !== "", "has no title"),
    ),
  });
  expect(validate(schema, { name: "A", title: "B", more: 1 })).toEqual({ name: "A", title: "B" });
  expect(() => validate(schema, { name: "", title: "" })).toThrow(new ReadError("has no name"));
  expect(() => validate(schema, { name: 1, title: "" })).toThrow(new ReadError("cannot be read"));
  expect(() => validate(schema, [], "is not a list")).toThrow(new ReadError("is not a list"));
});
