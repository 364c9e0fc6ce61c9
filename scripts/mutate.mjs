// Plants faults in the modules of a folder, one at a time, and lists those that no unit test notices:
// `npm run mutate -- app/list`.
import { existsSync } from "node:fs";
import path from "node:path";
import { ensureInstalled, fail, findNode, root, run } from "./ensure.mjs";

const [folder, ...others] = process.argv.slice(2);
if (folder === undefined || others.length > 0) fail("Usage: npm run mutate -- FOLDER, such as app/list");
if (!existsSync(path.join(root, folder))) fail(`There is no folder ${folder}: name one such as app/list.`);

await ensureInstalled({ development: true });
const modules = `${folder.replace(/\/+$/, "")}/**/*.ts`;
const { status } = run(findNode(), "@stryker-mutator/core", "stryker", [
  "run",
  "tests/mutation/stryker.config.json",
  "--mutate",
  `${modules},!**/*.test.ts`,
]);
process.exit(status ?? 1);
