import { expect, test } from "vitest";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";
import { UsageError } from "../config/operator-error.ts";
import { type Commands, flag, parseCommand, readLimit, text } from "./run-command.ts";

const ID = "3d6785ad-147e-40bd-ab59-cd3aeb847502";
const PICTURE = `${ID}/${"0a".repeat(16)}-800x600.webp`;

const run = async () => undefined;
const COMMANDS: Commands = {
  list: { options: { json: flag, limit: text }, run },
  add: { options: { email: text, name: text }, run },
  leave: { options: { email: text }, allowsNoEmail: true, needs: "profile", run },
  show: { needs: "item", run },
  remove: { needs: "item or picture", run },
  end: { needs: "link", run },
};
const parse = (...args: string[]) => parseCommand(COMMANDS, args);

test.each([
  [[], "A command is missing"],
  [["lst"], 'There is no command "lst"'],
  [["toString"], 'There is no command "toString"'],
  [["list", ID], "Unexpected argument"],
  [["list", "--limit"], "--limit"],
  [["list", "--limit", " "], '"list": --limit is empty'],
  [["add"], '"add" needs --email'],
  [["add", "--email", " "], '"add" needs --email'],
  [["add", "--email", "a@b.example", "--name", ""], '"add": --name is empty'],
  [["leave", "ada", "--email", ""], '"leave" needs --email'],
  [["leave", " "], '"leave" needs one profile'],
  [["leave"], '"leave" needs one profile'],
  [["leave", "ada", "grace"], '"leave" needs one profile'],
  [["show"], '"show" needs one ID'],
  [["show", "1"], '"show" needs one ID'],
  [["show", ID, ID], '"show" needs one ID'],
  [["show", PICTURE], '"show" needs one ID'],
  [["remove", PICTURE.replace("800", "0")], '"remove" needs one ID'],
  [["end", `x${ID}`], '"end" needs one ID'],
  [["end", `${ID}0`], '"end" needs one ID'],
])("the command line %j is rejected: %s", (args, message) => {
  expect(() => parse(...args)).toThrow(UsageError);
  expect(() => parse(...args)).toThrow(message);
});

test("an ID is taken in any case, and that of a picture also from its whole address", () => {
  expect(parse("show", ID.toUpperCase()).id).toBe(ID);
  expect(parse("end", ID).id).toBe(ID);
  expect(parse("remove", PICTURE).id).toBe(PICTURE);
  expect(parse("remove", `https://site.test${PUBLIC_PATH}${PICTURE}`).id).toBe(PICTURE);
  expect(parse("remove", ID).id).toBe(ID);
});

test("the command finds a profile by its exact name, without the blanks around it", () => {
  expect(parse("leave", " Ada ")).toMatchObject({ id: "Ada", email: "" });
});

test("an email address is normalized, and other options are texts", () => {
  expect(parse("add", "--email", " Ada@Example.com ", "--name", "Ada")).toMatchObject({
    email: "ada@example.com",
    texts: { name: "Ada" },
    json: false,
    id: "",
  });
  expect(parse("add", "--email", " Not An Address ").email).toBe("not an address");
  expect(parse("list", "--json", "--limit", "5")).toMatchObject({ json: true, texts: { limit: "5" } });
});

test("a list's limit is a whole number from 1, or missing", () => {
  expect([undefined, "1", "999999999"].map(readLimit)).toEqual([Number.POSITIVE_INFINITY, 1, 999_999_999]);
  for (const limit of ["0", "-1", "1.5", "01", "9999999999", "x1", "1x", ""])
    expect(() => readLimit(limit)).toThrow(`"list": --limit must be a whole number from 1, not "${limit}"`);
});
