import { expect, test } from "vitest";
import { nameVersions } from "./version-names.ts";

const namesOf = (...times: string[]) =>
  nameVersions(
    times.map((time) => ({
      id: time,
      item_table: "articles",
      item_id: "1",
      title: "Joins",
      replaced_at: time,
    })),
  ).map(({ name }) => name.replaceAll(/\s/g, " "));

test("a version's name has the time of its replacement, with seconds if another version has the same minute", () => {
  expect(namesOf("2026-11-05T10:31:40", "2026-11-05T10:31:05", "2026-11-05T10:30:59")).toEqual([
    "the version until Nov 5, 2026, 10:31:40 AM",
    "the version until Nov 5, 2026, 10:31:05 AM",
    "the version until Nov 5, 2026, 10:30 AM",
  ]);
});
