import { spawnSync } from "node:child_process";
import path from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { build, ensureInstalled, findNode, root } from "./ensure.mjs";

await ensureInstalled();
const node = findNode();
const browser = await ensureBrowser(node);
await build(node);
const { status } = spawnSync(
  node,
  ["--disable-warning=ExperimentalWarning", path.join(root, "bench/main.ts"), ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...process.env, CHROME_PATH: browser, NODE_ENV: "production" } },
);
process.exit(status ?? 1);
