import { describe, expect, it } from "vitest";
import { UsageError } from "../command-error.ts";
import { readArguments } from "./arguments.ts";

describe("readArguments", () => {
  it.each([
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
    ["list", { command: "list" }],
    ["remove --email a@b.c", { command: "remove", email: "a@b.c" }],
    ["password --email a@b.c", { command: "password", email: "a@b.c" }],
    ["invite --email a@b.c", { command: "invite", email: "a@b.c" }],
  ])("understands %s", (words, request) => {
    expect(readArguments(words.split(" "))).toEqual(request);
  });

  it.each([
    ["", "A command is missing"],
    ["ad --email a@b.c", 'There is no command "ad"'],
    ["constructor", 'There is no command "constructor"'],
    ["add", '"add" needs --email'],
    ["remove --email=", '"remove" needs --email'],
    ["remove a@b.c", '"remove": Unexpected argument'],
    ["remove --email a@b.c --password x", `"remove": Unknown option '--password'`],
    ["add --email", "\"add\": Option '--email <value>' argument missing"],
    ["list --email a@b.c", `"list": Unknown option '--email'`],
  ])("refuses %j in one line that says why", (words, reason) => {
    const read = () => readArguments(words === "" ? [] : words.split(" "));
    expect(read).toThrowError(UsageError);
    expect(read).toThrowError(reason);
    expect(read).toThrowError(/^[^\n]+--help$/);
  });
});
