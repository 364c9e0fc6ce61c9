// Runs the server as a child: signals go in, its exit code comes out.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./ensure.mjs";

const launcherCheck = 1_000;

export function startServer(node, env) {
  // The fourth channel closes when this process ends, in whatever way; the server then stops by itself.
  // These keep down the memory that waits to be collected, which by default was a third of the server's.
  const options = JSON.parse(readFileSync(path.join(root, "server/node-options.json"), "utf8"));
  // Vite loads the development build of React Router, and the server must share that one with it.
  if (env.NODE_ENV === "development") options.push("--conditions=development");
  return spawn(node, [...options, path.join(root, "server/main.ts")], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, ...env },
  });
}

export function onStop(stop) {
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(signal));
  // npm that is killed outright cannot pass that on; what it started finds itself with another parent.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => process.ppid !== parent && stop("SIGTERM"), launcherCheck).unref();
}

export function exitLike(code, signal) {
  if (signal === null) process.exit(code ?? 1);
  // 128 and the signal's number is what shells make of it; a signal that nobody asked for is a failure.
  process.exit(signal === "SIGKILL" ? 137 : 1);
}
