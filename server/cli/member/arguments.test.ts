import { describe, expect, test } from "vitest";
import { UsageError } from "../command-error.ts";
import { readArguments } from "./arguments.ts";

describe("readArguments", () => {
  test.each([
    [
      "add --email a@b.c --password p --username u --full-name N",
      {
        command: "add",
        email: "a@b.c",
        password: "p",
        username: "u",
        fullName: "N",
      },
    ],
    ["add --email=a@b.c", { command: "add", email: "a@b.c" }],
    ["list", { command: "list", json: false }],
    ["list --json", { command: "list", json: true }],
    ["suspend --email a@b.c", { command: "suspend", email: "a@b.c", hours: undefined }],
    ["suspend --email a@b.c --for 7d", { command: "suspend", email: "a@b.c", hours: 168 }],
    ["suspend --email a@b.c --for 30m", { command: "suspend", email: "a@b.c", hours: 0.5 }],
    ["unsuspend --email a@b.c", { command: "unsuspend", email: "a@b.c" }],
    ["remove --email a@b.c", { command: "remove", email: "a@b.c" }],
    ["password --email a@b.c", { command: "password", email: "a@b.c" }],
    ["invite --email a@b.c", { command: "invite", email: "a@b.c" }],
  ])("understands %s", (words, request) => {
    expect(readArguments(words.split(" "))).toEqual(request);
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
    ...["0d", "7", "d", "-1d", "1.5d", "100000d", "7y", "forever"].map((time) => [
      `suspend --email a@b.c --for=${time}`,
      "--for is a number with m, h, d or w",
    ]),
    ["add --email", "\"add\": Option '--email <value>' argument missing"],
    ["list --email a@b.c", `"list": Unknown option '--email'`],
  ])("refuses %j in one line that says why", (words, reason) => {
    const read = () => readArguments(words === "" ? [] : words.split(" "));
    expect(read).toThrowError(UsageError);
    expect(read).toThrowError(reason);
    expect(read).toThrowError(/^[^\n]+--help$/);
  });
});
