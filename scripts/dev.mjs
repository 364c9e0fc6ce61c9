import { watch } from "node:fs";
import path from "node:path";
import { ensureInstalled, findNode, root } from "./ensure.mjs";
import { exitLike, onStop, startServer } from "./serve.mjs";

// How many milliseconds to wait for further changes before a restart, because editors save a file in several steps.
const settled = 150;

await ensureInstalled();
const node = findNode();

let stopping = false;
let restarting = false;
let server = serve();

function serve() {
  const child = startServer(node, { NODE_ENV: "development" });
  child.on("exit", (code, signal) => {
    if (restarting && !stopping) {
      restarting = false;
      server = serve();
    } else if (stopping) {
      exitLike(code, signal);
    } else {
      console.log("The server stopped. It restarts when one of its files changes.");
    }
  });
  return child;
}

let timer;
for (const folder of ["common", "server", "supabase"]) {
  watch(path.join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(restart, settled);
  });
}

function restart() {
  if (stopping || restarting) return;
  console.log("Restarting the server…");
  if (server.exitCode !== null || server.signalCode !== null) {
    server = serve();
    return;
  }
  restarting = true;
  server.kill("SIGTERM");
}

onStop((signal) => {
  stopping = true;
  if (server.exitCode !== null || server.signalCode !== null) process.exit(0);
  server.kill(signal);
});
