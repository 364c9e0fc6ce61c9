import { expect, test } from "vitest";
import { createByteBudget } from "./byte-budget.ts";

const budget = () => createByteBudget({ total: 10, perClient: 6 }, 1);

test("a client gets exactly its share, and its bytes come back when they are disposed of", () => {
  const { tryReserve } = budget();
  const first = tryReserve("a", 4);
  expect(tryReserve("a", 3)).toBeUndefined();
  const second = tryReserve("a", 2);
  expect(second).toBeDefined();
  first?.[Symbol.dispose]();
  expect(tryReserve("a", 5)).toBeUndefined();
  expect(tryReserve("a", 4)).toBeDefined();
});

test("all clients together get exactly the total", () => {
  const { tryReserve } = budget();
  const first = tryReserve("a", 6);
  expect(tryReserve("b", 5)).toBeUndefined();
  expect(tryReserve("b", 4)).toBeDefined();
  expect(tryReserve("c", 1)).toBeUndefined();
  first?.[Symbol.dispose]();
  expect(tryReserve("c", 6)).toBeDefined();
});

test("a small body counts as the least size, so that many of them aren't free", () => {
  const { tryReserve } = createByteBudget({ total: 10, perClient: 10 }, 5);
  expect([0, 1, 1].map((bytes) => tryReserve("a", bytes) !== undefined)).toEqual([true, true, false]);
});

test("a client that has used up its share gets 429, and 503 if others have used up the total", () => {
  const { reserve } = budget();
  reserve("a", 6);
  expect(() => reserve("a", 1)).toThrow(
    expect.objectContaining({ status: 429, message: expect.stringContaining("client") }),
  );
  expect(() => reserve("b", 5)).toThrow(expect.objectContaining({ status: 503 }));
  expect(() => reserve("b", 7)).toThrow(expect.objectContaining({ status: 429 }));
  reserve("b", 4)[Symbol.dispose]();
  reserve("b", 4);
});
