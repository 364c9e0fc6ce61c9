import { expect, test } from "vitest";
import { fileSlug } from "../../../common/kinds/item-file.ts";
import { archiveName, fileNames } from "./names.ts";

const ID = "0b9c2a54-1111-4111-8111-111111111111";
const NOON = new Date(2026, 0, 5, 12);

test.each([
  ["Ada_L.", "Ada", "techfolio-Ada_L-2026-01-05.zip"],
  [" ..Ada  &  Co. ", "Ada", "techfolio-Ada-Co-2026-01-05.zip"],
  ["../ada lovelace/", null, "techfolio-ada-lovelace-2026-01-05.zip"],
  ["", "Ada Lovelace", "techfolio-ada-lovelace-2026-01-05.zip"],
  [null, " ", "techfolio-0b9c2a54-2026-01-05.zip"],
])(
  "the archive of a member with the username %j and the full name %j is called %s",
  (username, full_name, expected) => {
    expect(archiveName({ id: ID, username, full_name }, NOON)).toBe(expected);
  },
);

test("the archive of a member without a profile is named after their id", () => {
  expect(archiveName({ id: ID }, NOON)).toBe("techfolio-0b9c2a54-2026-01-05.zip");
});

test.each([
  ["Why “indexes” lie: a (short) story!", "why-indexes-lie-a-short-story"],
  ["データベース 入門", "データベース-入門"],
  ["../..//", "untitled"],
  ["x".repeat(300), "x".repeat(50)],
])("the title %j becomes %s in a file name", (title, expected) => {
  expect(fileSlug(title)).toBe(expected);
});

test("two items get different file names even if their titles and ids begin alike", () => {
  const name = fileNames();
  const items = [
    { id: ID, title: "A", created_at: "" },
    { id: ID.replace(/1$/, "2"), title: "a!", created_at: "" },
  ];
  expect(items.map((item) => name(item, "md"))).toEqual([
    "a-0b9c2a54.md",
    "a-0b9c2a54-1111-4111-8111-111111111112.md",
  ]);
});
