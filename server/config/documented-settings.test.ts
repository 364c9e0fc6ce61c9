import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { variables } from "./variables.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

const settings = Object.keys(variables.entries).sort();

test("apart from CHROME_PATH, the README's table lists exactly the settings that the server reads", () => {
  const rows = read("README.md").match(/^\| (`[A-Z_]+`(, )?)+ \|/gm) ?? [];
  const names = rows.flatMap((row) => row.match(/[A-Z_]{2,}/g) ?? []);
  // Tests and benchmarks read CHROME_PATH, but the server doesn't.
  const testSettings = ["CHROME_PATH"];
  expect(names.filter((name) => !testSettings.includes(name)).sort()).toEqual(settings);
});

test(".env.example lists exactly the settings that the server reads", () => {
  const names = (read(".env.example").match(/^#?[A-Z_]+(?==)/gm) ?? []).map((name) => name.replace("#", ""));
  expect(names.sort()).toEqual(settings);
});
