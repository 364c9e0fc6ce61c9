import { build, ensureInstalled, fail, findNode } from "./ensure.mjs";
import { exitLike, onStop, startServer } from "./serve.mjs";

ensureInstalled();
const node = findNode();
if (!build(node)) fail("Build failed; see above.");
const server = startServer(node, { NODE_ENV: "production" });
onStop((signal) => server.kill(signal));
server.on("exit", exitLike);
