import { build, ensureInstalled, findNode } from "./ensure.mjs";
import { exitLike, onStop, startServer } from "./serve.mjs";

// The build needs development packages.
await ensureInstalled();
const node = findNode();
await build(node, { checksSettings: true });
const server = startServer(node, { NODE_ENV: "production" });
onStop((signal) => server.kill(signal));
server.on("exit", exitLike);
