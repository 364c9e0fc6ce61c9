import { expect, test } from "vitest";
import { applyToEach, itemCount } from "./selection.ts";

test("an action that fails for one item is applied to the others, in their order", async () => {
  const acted: number[] = [];
  const outcome = await applyToEach([1, 2, 3], async (item) => {
    acted.push(item);
    if (item === 2) throw new Error("No network");
  });
  expect(acted).toEqual([1, 2, 3]);
  expect(outcome).toEqual({ done: [1, 3], failed: [2] });
});

test("a number of items is in words", () => {
  expect([0, 1, 3].map(itemCount)).toEqual(["0 items", "1 item", "3 items"]);
});
