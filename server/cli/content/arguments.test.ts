import { expect, test } from "vitest";
import { UsageError } from "../command-error.ts";
import { readArguments } from "./arguments.ts";
import { CONTENT_TYPES } from "./content-kinds.ts";

const id = "5b0c4c43-9d0b-4d8f-8f1d-8b11d0f6e5b0";

test.each([
  ["list", { author: undefined, types: CONTENT_TYPES, search: undefined, json: false }],
  [
    "list --author a@b.c --type articles --search=spam --json",
    { author: "a@b.c", types: ["articles"], search: "spam", json: true },
  ],
  [`show ${id}`, { id }],
  [`unpublish ${id}`, { id }],
  [`remove ${id.toUpperCase()}`, { id }],
])("content %s is understood", (words, request) => {
  expect(readArguments(words.split(" "))).toMatchObject(request);
});

test.each([
  "dance",
  "constructor",
  "show",
  "show 1",
  `remove ${id} ${id}`,
  "list all",
  "list --type constructor",
  "list --sort asc",
  "unpublish --all",
])("content %s is refused in one sentence that leads to the help", (words) => {
  const read = () => readArguments(words.split(" "));
  expect(read).toThrowError(UsageError);
  expect(read).toThrowError(/^[^\n]+See npm run content -- --help$/);
});
