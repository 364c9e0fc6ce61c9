// Runs the long drills: all of them, or those named, as in `npm run drill -- crash outage`.
import { spawn } from "node:child_process";
import path from "node:path";
import { ensureBrowser } from "./browser.mjs";
import { build, ensureInstalled, findNode, root } from "./ensure.mjs";
import { exitLike, onStop } from "./serve.mjs";

await ensureInstalled();
const node = findNode();
await build(node);
const program = path.join(root, "tests/drills/run.ts");
const drill = spawn(node, ["--disable-warning=ExperimentalWarning", program, ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "production", CHROME_PATH: await ensureBrowser(node) },
});
onStop((signal) => drill.kill(signal));
drill.on("exit", exitLike);
