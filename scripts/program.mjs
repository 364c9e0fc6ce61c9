// Installs what is missing, runs one of the server's programs and exits with its exit code.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { ensureInstalled, findNode, root } from "./ensure.mjs";

export async function runProgram(file) {
  await ensureInstalled();
  const { status } = spawnSync(
    findNode(),
    ["--disable-warning=ExperimentalWarning", path.join(root, file), ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
  process.exit(status ?? 1);
}
