import { readFileSync } from "node:fs";
import path from "node:path";
import peggy from "peggy";
import { expect, test } from "vitest";

const folder = path.join(import.meta.dirname, "../../server/rest/parse");

test("generated-parser.ts is the parser of the grammar of /rest/v1", async () => {
  const grammar = readFileSync(path.join(folder, "grammar.peggy"), "utf8");
  const source = peggy.generate(grammar, { allowedStartRules: ["*"], output: "source", format: "es" });
  // `npx vitest run tests/operation/generated-parser -u` writes the file.
  await expect(`// @ts-nocheck\n${source}`).toMatchFileSnapshot(path.join(folder, "generated-parser.ts"));
});
