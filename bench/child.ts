import { fork } from "node:child_process";
import { once } from "node:events";
import type { BareResponses } from "./bare-server.ts";

export interface Child {
  pid: number;
  report: unknown;
  stop(): Promise<void>;
}

export async function startChild(module: string, task: unknown): Promise<Child> {
  const child = fork(new URL(module, import.meta.url), {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const exit = once(child, "exit");
  const failed = exit.then(([code]) => Promise.reject(new Error(`${module} ended with code ${code}`)));
  failed.catch(() => undefined);
  child.send(task as never);
  const [report] = await Promise.race([once(child, "message"), failed]);
  async function stop() {
    child.kill();
    await exit;
  }
  return { pid: child.pid ?? 0, report, stop };
}

export async function startBareServer(responses: BareResponses): Promise<Child & { url: string }> {
  const child = await startChild("./bare-server.ts", responses);
  return { ...child, url: `http://127.0.0.1:${String(child.report)}` };
}
