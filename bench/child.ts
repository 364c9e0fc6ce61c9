import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A program of this folder that runs in a process of its own. */
export interface Child {
  pid: number;
  /** What it reported when it was ready. */
  report: unknown;
  stop(): Promise<void>;
}

/** Resolves when the child reports. Throws when it ends before. */
export async function startChild(
  module: string,
  message: unknown,
  env: Record<string, string> = {},
): Promise<Child> {
  const child = fork(new URL(module, import.meta.url), {
    env: { ...process.env, NODE_ENV: "production", ...env },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${module} ended with code ${code}`);
  });
  ended.catch(() => undefined);
  child.send(message as never);
  const [report] = await Promise.race([once(child, "message"), ended]);
  return { pid: child.pid ?? 0, report, stop: () => stopChild(child) };
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}
