// Runs a program of the server to its end: what is missing is installed, its exit code comes out.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ensureInstalled, findNode, root } from "./ensure.mjs";

export function runProgram(file) {
  ensureInstalled();
  const { status } = spawnSync(
    findNode(),
    ["--disable-warning=ExperimentalWarning", path.join(root, file), ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
  process.exit(status ?? 1);
}
