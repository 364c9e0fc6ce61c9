import { expect, test } from "vitest";
import { UsageError } from "../../config/operator-error.ts";
import { parseCommand } from "../run-command.ts";
import { COMMANDS, USAGE } from "./commands.ts";

const id = "5b0c4c43-9d0b-4d8f-8f1d-8b11d0f6e5b0";
const read = (args: string) => parseCommand(COMMANDS, args.split(" "));

test.each([
  ["list", { texts: {}, json: false }],
  [
    "list --author a@b.c --type articles --search=spam --json",
    { texts: { author: "a@b.c", type: "articles", search: "spam" }, json: true },
  ],
  [`show ${id}`, { id }],
  [`unpublish ${id}`, { id }],
  [`remove ${id.toUpperCase()}`, { id }],
  ["show articles/read-explain-8b11d0f6e5b0", { id: "articles/read-explain-8b11d0f6e5b0" }],
  [
    "show https://techfolio.example/sample-code/x-8b11d0f6e5b0",
    { id: "https://techfolio.example/sample-code/x-8b11d0f6e5b0" },
  ],
])("npm run content -- %s is a valid command", (args, parsed) => {
  expect(read(args)).toMatchObject({ run: COMMANDS[args.split(" ")[0] ?? ""]?.run, ...parsed });
});

test.each([
  "dance",
  "constructor",
  "show",
  "show 1",
  `remove ${id} ${id}`,
  "list all",
  "list --sort asc",
  // A script whose variable is unset passes an empty author. Ignoring the option would list every member's items.
  "list --author=",
  "unpublish --all",
])("npm run content -- %s is rejected with a one-line message", (args) => {
  expect(() => read(args)).toThrowError(UsageError);
  expect(() => read(args)).toThrowError(/^[^\n]+$/);
});

test("npm run content -- --help lists every command", () => {
  const listed = [...USAGE.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(COMMANDS).sort());
});
