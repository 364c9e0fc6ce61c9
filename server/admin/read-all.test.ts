import { PostgrestError } from "@supabase/postgrest-js";
import { expect, test } from "vitest";
import { readAll } from "./read-all.ts";

const tooLarge = new PostgrestError({ code: "54000", message: "too large", details: "", hint: "" });

/** Reads from a table of `count` rows. A page has at most `maxRows`, and fails if it would have more than `fitting`. */
async function read(
  count: number,
  { maxRows = 5_000, fitting = 5_000, limit = Number.POSITIVE_INFINITY } = {},
) {
  const sizes: number[] = [];
  const rows = await readAll<number>(async (size, { length }) => {
    sizes.push(size);
    if (Math.min(size, count - length) > fitting) throw tooLarge;
    return Array.from({ length: Math.min(size, maxRows, count - length) }, (_, index) => length + index);
  }, limit);
  expect(rows).toEqual(Array.from({ length: Math.min(count, limit) }, (_, index) => index));
  return sizes;
}

test("all rows are read until a page is empty, because a project's short page may not be the last", async () => {
  expect(await read(0)).toEqual([5_000]);
  expect(await read(7_000)).toEqual([5_000, 5_000, 5_000]);
  expect(await read(2_500, { maxRows: 1_000 })).toEqual([5_000, 5_000, 5_000, 5_000]);
});

test("a read requests only as many rows as it needs", async () => {
  expect(await read(9_000, { limit: 6_000 })).toEqual([5_000, 1_000]);
  expect(await read(9_000, { limit: 5_000 })).toEqual([5_000]);
  expect(await read(9_000, { limit: 0 })).toEqual([]);
});

test("pages that are too large are halved, and the rest is read in pages of that size", async () => {
  expect(await read(3_000, { fitting: 1_300 })).toEqual([5_000, 2_500, 1_250, 1_250, 1_250, 1_250]);
});

test("a single row that is too large fails, and so does any other error", async () => {
  await expect(read(2, { fitting: 0 })).rejects.toBe(tooLarge);
  const canceled = new PostgrestError({ code: "57014", message: "canceled", details: "", hint: "" });
  let reads = 0;
  const reading = readAll(async () => {
    reads += 1;
    throw canceled;
  });
  await expect(reading).rejects.toBe(canceled);
  expect(reads).toBe(1);
});
