// Plants faults, one at a time, and lists those that no test notices: in the modules of a folder, as in
// `npm run mutate -- app/list`, or in the database's schema with `npm run mutate -- sql`, where a word restricts the faults
// (`npm run mutate -- sql policies`).
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ensureInstalled, fail, findNode, root } from "./ensure.mjs";

const USAGE = "Usage: npm run mutate -- FOLDER, such as app/list, or npm run mutate -- sql [WORD]";
const [folder, ...others] = process.argv.slice(2);
if (folder === undefined || (folder !== "sql" && others.length > 0)) fail(USAGE);
if (folder === "sql") process.exit((await mutateSchema(others)) ?? 1);
if (!existsSync(path.join(root, folder))) fail(`There is no folder ${folder}: name one such as app/list.`);

await ensureInstalled();
// Stryker has its own package.json, because its many packages would take a sixth of the time of each installation.
const packages = path.join(root, "tests/mutation");
const install = ["ci", "--prefix", packages, "--prefer-offline", "--loglevel=error"];
if (spawnSync("npm", install, { stdio: ["ignore", "ignore", "inherit"] }).status !== 0)
  fail("npm could not install Stryker: correct what it reports above, then run the command again.");
const modules = `${folder.replace(/\/+$/, "")}/**/*.ts`;
const { status } = spawnSync(
  findNode(),
  [
    path.join(packages, "node_modules/@stryker-mutator/core/bin/stryker.js"),
    "run",
    "tests/mutation/stryker.config.json",
    "--mutate",
    `${modules},!**/*.test.ts`,
  ],
  { cwd: root, stdio: "inherit" },
);
if (status === 0) printShare();
process.exit(status ?? 1);

/** Prints the folder's row for the table in docs/testing.md. */
function printShare() {
  const { files } = JSON.parse(readFileSync(path.join(root, "test-results/mutation.json"), "utf8"));
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map((mutant) => mutant.status));
  const count = (...wanted) => statuses.filter((status) => wanted.includes(status)).length;
  const [noticed, survived] = [count("Killed", "Timeout"), count("Survived")];
  const share = Math.round((100 * noticed) / (noticed + survived));
  const cells = [`\`${folder}\``, `${share} %`, `${survived} of ${noticed + survived}`, count("NoCoverage")];
  process.stdout.write(`| ${cells.join(" | ")} |\n${count("Timeout")} faults kept a test from finishing.\n`);
}

async function mutateSchema(words) {
  await ensureInstalled();
  const program = path.join(root, "tests/mutation/sql.ts");
  const child = spawn(findNode(), [program, ...words], { stdio: "inherit" });
  // Otherwise, the child would continue alone. It ends its PostgreSQL however it ends.
  process.once("SIGTERM", () => child.kill());
  const [status] = await once(child, "exit");
  return status;
}
