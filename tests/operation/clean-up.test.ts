import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newClusterDir } from "../support/cluster.ts";
import { postgresPid } from "../support/data-dir.ts";
import { NODE, ROOT } from "../support/node.ts";
import { launchSite } from "../support/site-process.ts";

const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

test("when a test run is killed, the databases that it leaves are ended and its folder is removed", async ({
  skip,
}) => {
  skip(process.platform !== "linux", "/proc exists only on Linux");
  const folder = await mkdtemp(path.join(tmpdir(), "run-"));
  await chmod(folder, 0o755);
  const dataDir = await newClusterDir(await mkdtemp(path.join(folder, "site-")));
  const site = await launchSite({ DATA_DIR: dataDir, SEED: "none" });
  onTestFinished(async () => void (await site.end("SIGKILL")));
  await site.running();
  const pid = await postgresPid(dataDir);
  const cleanUp = spawn(NODE, [path.join(ROOT, "tests/support/clean-up.ts"), folder], {
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(cleanUp, "exit");
  await site.end("SIGKILL");
  expect(isRunning(pid)).toBe(true);
  cleanUp.stdin.end();
  expect(await ended).toEqual([0, null]);
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(existsSync(folder)).toBe(false);
});
