import { spawn } from "node:child_process";
import path from "node:path";
import { build, ensureInstalled, findNode, root } from "./ensure.mjs";
import { exitLike, onStop } from "./serve.mjs";

await ensureInstalled();
const node = findNode();
await build(node);
const program = path.join(root, "tests/browsers/run.ts");
const journeys = spawn(node, ["--disable-warning=ExperimentalWarning", program], { stdio: "inherit" });
onStop((signal) => journeys.kill(signal));
journeys.on("exit", exitLike);
