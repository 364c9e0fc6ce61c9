import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const text = readFileSync(path.join(root, "CONTRIBUTING.md"), "utf8");
const tests = globSync(["{app,common,server,scripts,tests}/**/*.{test,spec}.{ts,tsx}"], { cwd: root });
const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));

const inText = (pattern: RegExp) => [
  ...new Set(Array.from(text.matchAll(pattern), ([, found = ""]) => found.trim())),
];

/** The commands of the recipes, without those that name a placeholder such as `<test>`. */
const commands = inText(/((?:npx (?:vitest|playwright)|npm (?:run|test))\b[^`\n#]*)/g).filter(
  (command) => !command.includes("<"),
);
const named = (program: string) => commands.filter((command) => command.startsWith(program));

test.each(named("npx vitest run"))("%s finds tests by each of its paths", (command) => {
  const paths =
    command
      .split(/&&|\s-/)[0]
      ?.split(" ")
      .slice(3)
      .filter(Boolean) ?? [];
  expect(paths.length).toBeGreaterThan(0);
  for (const part of paths) {
    expect(
      tests.filter((file) => file.includes(part)),
      part,
    ).not.toEqual([]);
  }
});

const JOURNEY = /^npx playwright test (\S+)(?: -g "?([^"]+)"?)?$/;

test.each(named("npx playwright test"))("%s finds journeys", (command) => {
  const [, part = "", title = ""] = JOURNEY.exec(command) ?? [];
  const files = tests.filter((file) => file.includes(part));
  expect(files).not.toEqual([]);
  const titles = files.flatMap((file) =>
    Array.from(
      readFileSync(path.join(root, file), "utf8").matchAll(/\btest\(\s*["'`]([^"'`]+)/g),
      ([, found = ""]) => found,
    ),
  );
  expect(titles.filter((each) => each.includes(title))).not.toEqual([]);
});

test.each([...named("npm run"), ...named("npm test")])("%s is a script of the package", (command) => {
  const [, , name = ""] = command.replace(/^npm test/, "npm run test").split(" ");
  expect(Object.keys(scripts)).toContain(name);
});

test("every path in the document that names no placeholder exists", () => {
  const paths = inText(/`((?:app|bench|common|docs|scripts|server|supabase|tests)\/[^`\s<{*…]*)`/g);
  expect(paths.length).toBeGreaterThan(30);
  const missing = paths.filter(
    (each) => globSync([each.replace(/\/$/, ""), `${each}*`], { cwd: root }).length === 0,
  );
  expect(missing).toEqual([]);
});
