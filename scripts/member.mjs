import { spawnSync } from "node:child_process";
import path from "node:path";
import { ensureInstalled, findNode, root } from "./ensure.mjs";

ensureInstalled();
const { status } = spawnSync(
  findNode(),
  ["--disable-warning=ExperimentalWarning", path.join(root, "server/member.ts"), ...process.argv.slice(2)],
  { stdio: "inherit" },
);
process.exit(status ?? 1);
