// Installs what is missing, runs one of the server's programs and exits with its exit code.
import { spawnSync } from "node:child_process";
import { ensureInstalled, findNode, serverModule } from "./ensure.mjs";

export async function runProgram(name) {
  await ensureInstalled();
  const { status } = spawnSync(
    findNode(),
    ["--disable-warning=ExperimentalWarning", serverModule(`cli/${name}`), ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
  process.exit(status ?? 1);
}
