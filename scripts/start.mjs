import { findInvalidSetting } from "./check-settings.mjs";
import { build, ensureInstalled, fail, findNode } from "./ensure.mjs";
import { exitLike, onStop, startServer } from "./serve.mjs";

const problem = findInvalidSetting();
if (problem !== undefined) fail(problem);
// The build needs development packages.
await ensureInstalled();
const node = findNode();
await build(node);
const server = startServer(node, { NODE_ENV: "production" });
onStop((signal) => server.kill(signal));
server.on("exit", exitLike);
