import { build, ensureInstalled, fail, findNode } from "./ensure.mjs";
import { exitLike, onStop, startServer } from "./serve.mjs";

ensureInstalled();
const node = findNode();
if (!build(node)) fail("The application could not be built: the reason stands above.");
const server = startServer(node, { NODE_ENV: "production" });
onStop((signal) => server.kill(signal));
server.on("exit", exitLike);
