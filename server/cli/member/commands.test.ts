import { describe, expect, test } from "vitest";
import { readDuration } from "../../admin/duration.ts";
import { UsageError } from "../../config/operator-error.ts";
import { parseCommand } from "../run-command.ts";
import { COMMANDS, USAGE } from "./commands.ts";

const read = (args: string) => parseCommand(COMMANDS, args === "" ? [] : args.split(" "));

describe("parsing the arguments of npm run member", () => {
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
  ])("npm run member -- %s is a valid command", (args, texts) => {
    const { run, email, texts: given } = read(args);
    const name = args.split(" ")[0] ?? "";
    expect({ run, email, texts: given }).toEqual({ run: COMMANDS[name]?.run, email: "a@b.c", texts });
  });

  test.each([
    ["list", false],
    ["list --json", true],
  ])("npm run member -- %s is a valid command", (args, json) => {
    expect(read(args)).toMatchObject({ run: COMMANDS["list"]?.run, json });
  });

  test.each([
    ["", "A command is missing"],
    ["ad --email a@b.c", 'There is no command "ad"'],
    ["constructor", 'There is no command "constructor"'],
    ["remove", '"remove" needs --email'],
    // A script whose variable is unset passes an empty address. It must not wait for standard input.
    ["invite --email=", '"invite" needs --email'],
    ["remove --email=", '"remove" needs --email'],
    ["add --email a@b.c --password=", '"add": --password is empty'],
    ["password --email a@b.c --password=", '"password": --password is empty'],
    ["remove a@b.c", '"remove": Unexpected argument'],
    ["remove --email a@b.c --password x", `"remove": Unknown option '--password'`],
    ["add --email", "\"add\": Option '--email <value>' argument missing"],
    ["list --email a@b.c", `"list": Unknown option '--email'`],
  ])('"npm run member -- %s" is rejected with the message: %s', (args, reason) => {
    expect(() => read(args)).toThrowError(UsageError);
    expect(() => read(args)).toThrowError(reason);
    expect(() => read(args)).toThrowError(/^[^\n]+$/);
  });
});

describe("the duration of a suspension", () => {
  test.each([
    [undefined, "876000h"],
    ["30m", "30m"],
    ["12h", "12h"],
    ["7d", "168h"],
    ["2w", "336h"],
  ])("--for %s is sent to the admin API as %s", (given, duration) => {
    expect(readDuration(given)).toBe(duration);
  });

  test.each(["0d", "7", "d", "-1d", "1.5d", "100000d", "7y", "forever", ""])(
    "--for %j is rejected",
    (given) => {
      expect(() => readDuration(given)).toThrowError(UsageError);
      expect(() => readDuration(given)).toThrowError("--for must be a number with m, h, d or w");
    },
  );
});

test("npm run member -- --help lists every command", () => {
  const listed = [...USAGE.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(Object.keys(COMMANDS).sort());
});
