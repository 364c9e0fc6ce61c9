// Helpers that start the server as a child process, react to signals, and exit like the child.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { serverModule } from "./ensure.mjs";

const launcherCheck = 1_000;

export function startServer(node, env) {
  const main = serverModule("main");
  const file = path.join(path.dirname(main), "node-options.json");
  const { arguments: options, environment } = JSON.parse(readFileSync(file, "utf8"));
  // Vite loads React Router's development build, and the server must load the same one.
  if (env.NODE_ENV === "development") options.push("--conditions=development");
  return spawn(node, [...options, main], {
    // The IPC channel closes when this process ends, even if it is killed. The server then stops.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...environment, ...process.env, ...env },
  });
}

export function onStop(stop) {
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(signal));
  // If npm is killed, it can't forward a signal. Stop when this process has a new parent, because npm has exited then.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => process.ppid !== parent && stop("SIGTERM"), launcherCheck).unref();
}

export function exitLike(code, signal) {
  if (signal === null) process.exit(code ?? 1);
  // Like shells, report SIGKILL as 128 plus its number. Any other signal is an ordinary failure.
  process.exit(signal === "SIGKILL" ? 137 : 1);
}
