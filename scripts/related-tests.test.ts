import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "..");

interface RelatedTests {
  RELATED: Record<string, string[]>;
  relatedTests(files: string[]): string[] | undefined;
}

const { RELATED: table, relatedTests }: RelatedTests = await import(
  path.join(import.meta.dirname, "related-tests.mjs")
);

function foldersOf(parent: string): string[] {
  const entries = readdirSync(path.join(ROOT, parent), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${parent}/${name}`);
}

test("the table of related tests names only existing folders and tests", () => {
  const missing = Object.entries(table).flatMap(([folder, tests]) =>
    [folder, ...tests].filter((file) => !existsSync(path.join(ROOT, file))),
  );
  expect(missing).toEqual([]);
});

test("every folder of app/ and server/ has its own line in the table of related tests", () => {
  const folders = [...foldersOf("app"), ...foldersOf("server")].filter((name) => name !== "app/routes");
  expect(folders.filter((folder) => !(folder in table))).toEqual([]);
});

test("a changed module runs the tests of the most specific folder, and a changed test runs itself", () => {
  expect(relatedTests(["app/drafts/draft-store.ts"])).toEqual(table["app/drafts"]);
  expect(relatedTests(["app/root.tsx", "README.md"])).toEqual(table["app"]?.toSorted());
  expect(relatedTests(["tests/access/storage.test.ts", "app/drafts/draft-store.test.ts"])).toEqual([
    "tests/access/storage.test.ts",
  ]);
  expect(relatedTests(["docs/operating.md", "README.md"])).toEqual([]);
});

test.each(["package.json", "vite.config.ts", "tests/support/server.ts"])(
  "a change of %s runs all tests",
  (file) => {
    expect(relatedTests(["app/drafts/draft-store.ts", file])).toBeUndefined();
  },
);
