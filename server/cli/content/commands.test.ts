import { expect, test } from "vitest";
import { UsageError } from "../../config/operator-error.ts";
import { parseCommand } from "../run-command.ts";
import { COMMANDS } from "./commands.ts";

const id = "5b0c4c43-9d0b-4d8f-8f1d-8b11d0f6e5b0";
const read = (words: string) => parseCommand(COMMANDS, words.split(" "));

test.each([
  ["list", { texts: {}, json: false }],
  [
    "list --author a@b.c --type articles --search=spam --json",
    { texts: { author: "a@b.c", type: "articles", search: "spam" }, json: true },
  ],
  [`show ${id}`, { id }],
  [`unpublish ${id}`, { id }],
  [`remove ${id.toUpperCase()}`, { id }],
])("content %s is understood", (words, parsed) => {
  expect(read(words)).toMatchObject({ run: COMMANDS[words.split(" ")[0] ?? ""]?.run, ...parsed });
});

test.each([
  "dance",
  "constructor",
  "show",
  "show 1",
  `remove ${id} ${id}`,
  "list all",
  "list --sort asc",
  // A variable of a shell that is not set would list everybody's.
  "list --author=",
  "unpublish --all",
])("content %s is refused in one sentence", (words) => {
  expect(() => read(words)).toThrowError(UsageError);
  expect(() => read(words)).toThrowError(/^[^\n]+$/);
});
