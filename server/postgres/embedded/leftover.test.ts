import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stopLeftover } from "./leftover.ts";

test("stopping a killed server's PostgreSQL succeeds and removes postmaster.pid, even if the process becomes a zombie", async () => {
  const home = await mkdtemp(path.join(tmpdir(), "techfolio-leftover-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const folder = path.join(home, "data");
  await mkdir(folder);
  // The copy's file name becomes the name of its process, which stopLeftover checks.
  await copyFile("/bin/sleep", path.join(home, "postgres"));
  const script = `(cd ${folder}; exec ../postgres 1000 >/dev/null) & echo $!; exec sleep 1000`;
  const parent = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void parent.kill());
  const [pid] = await once(parent.stdout, "data");
  const psColumn = (column: string) =>
    execFileSync("ps", ["-o", `${column}=`, "-p", String(pid).trim()], { encoding: "utf8" }).trim();
  await expect.poll(() => psColumn("comm")).toMatch(/postgres$/);
  await writeFile(path.join(folder, "postmaster.pid"), pid);
  await stopLeftover(folder);
  expect(await readdir(folder)).toEqual([]);
  expect(psColumn("stat")).toMatch(/^Z/);
});
