import { expect, test } from "vitest";
import { commandLine } from "./command-line.ts";

test("in a clone of the repository, operators run commands with npm", () => {
  expect(commandLine("start")).toBe("npm start");
  expect(commandLine("doctor")).toBe("npm run doctor");
  expect(commandLine("release", "0.2.0")).toBe("npx techfolio release 0.2.0");
  expect(commandLine("member", "add a@b.example")).toBe("npm run member -- add a@b.example");
});
