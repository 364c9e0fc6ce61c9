import { describe, expect, test } from "vitest";
import { UsageError } from "../../config/operator-error.ts";
import { parseCommand } from "../run-command.ts";
import { COMMANDS, readDuration } from "./commands.ts";

const read = (words: string) => parseCommand(COMMANDS, words === "" ? [] : words.split(" "));

describe("parsing the member command", () => {
  test.each([
    [
      "add --email a@b.c --password p --username u --full-name N",
      { password: "p", username: "u", "full-name": "N" },
    ],
    ["add --email=a@b.c", {}],
    ["suspend --email A@b.c", {}],
    ["suspend --email a@b.c --for 7d", { for: "7d" }],
    ["unsuspend --email a@b.c", {}],
    ["remove --email a@b.c", {}],
    ["password --email a@b.c", {}],
    ["invite --email a@b.c", {}],
  ])("are understood: %s", (words, texts) => {
    const { run, email, texts: given } = read(words);
    const name = words.split(" ")[0] ?? "";
    expect({ run, email, texts: given }).toEqual({ run: COMMANDS[name]?.run, email: "a@b.c", texts });
  });

  test.each([
    ["list", false],
    ["list --json", true],
  ])("are understood: %s", (words, json) => {
    expect(read(words)).toMatchObject({ run: COMMANDS["list"]?.run, json });
  });

  test.each([
    ["", "A command is missing"],
    ["ad --email a@b.c", 'There is no command "ad"'],
    ["constructor", 'There is no command "constructor"'],
    ["add", '"add" needs --email'],
    ["remove --email=", '"remove" needs --email'],
    ["add --email a@b.c --password=", '"add": --password is empty'],
    ["password --email a@b.c --password=", '"password": --password is empty'],
    ["remove a@b.c", '"remove": Unexpected argument'],
    ["remove --email a@b.c --password x", `"remove": Unknown option '--password'`],
    ["add --email", "\"add\": Option '--email <value>' argument missing"],
    ["list --email a@b.c", `"list": Unknown option '--email'`],
  ])("are refused in one line that says why: %j", (words, reason) => {
    expect(() => read(words)).toThrowError(UsageError);
    expect(() => read(words)).toThrowError(reason);
    expect(() => read(words)).toThrowError(/^[^\n]+$/);
  });
});

describe("readDuration", () => {
  test.each([
    [undefined, "876000h"],
    ["30m", "30m"],
    ["12h", "12h"],
    ["7d", "168h"],
    ["2w", "336h"],
  ])("gives %s as %s", (given, duration) => {
    expect(readDuration(given)).toBe(duration);
  });

  test.each(["0d", "7", "d", "-1d", "1.5d", "100000d", "7y", "forever", ""])("refuses %j", (given) => {
    expect(() => readDuration(given)).toThrowError(UsageError);
    expect(() => readDuration(given)).toThrowError("--for is a number with m, h, d or w");
  });
});
