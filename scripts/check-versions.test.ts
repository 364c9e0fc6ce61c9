import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";

interface Check {
  findProblem(node: string, agent: string | undefined): string | undefined;
}

const { findProblem }: Check = createRequire(import.meta.url)("./check-versions.cjs");

const read = (file: string) => readFileSync(path.join(import.meta.dirname, "..", file), "utf8");

test.each([
  ["6.17.1", undefined],
  ["18.20.4", "npm/9.2.0 node/v18.20.4 linux x64"],
  ["20.18.3", undefined],
  ["21.7.0", undefined],
  ["22.11.0", undefined],
])("Node %s is too old", (node, agent) => {
  expect(findProblem(node, agent)).toContain(`this is Node ${node}: install a newer Node`);
});

test.each(["20.19.0", "22.12.0", "23.0.0", "24.21.0", "30.0.0"])("Node %s is new enough", (node) => {
  expect(findProblem(node, "npm/10.8.2 node/v24")).toBeUndefined();
  expect(findProblem(node, undefined)).toBeUndefined();
});

test("an npm that can't read package-lock.json is reported, and other package managers are not", () => {
  expect(findProblem("24.0.0", "npm/6.14.18 node/v24.0.0")).toContain("this is npm 6: run");
  expect(findProblem("24.0.0", "pnpm/9.0.0 npm/? node/v24.0.0")).toBeUndefined();
});

test("the check accepts the same versions as package.json, and every npm command runs it first", () => {
  const { engines, scripts } = JSON.parse(read("package.json"));
  expect(engines.node).toBe("^20.19.0 || >=22.12.0");
  for (const command of Object.values(scripts)) {
    expect(command).toMatch(
      /^node -r \.\/scripts\/check-versions\.cjs scripts\/[a-z-]+\.mjs( (?:--)?[a-z]+)?$/,
    );
  }
});
