import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stopLeftover } from "./leftover.ts";

/** Creates a data directory in an empty folder. */
async function prepare() {
  const home = await mkdtemp(path.join(tmpdir(), "techfolio-leftover-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const folder = path.join(home, "data");
  await mkdir(folder);
  return { home, folder };
}

test("stopping a killed server's PostgreSQL succeeds and removes postmaster.pid, even if the process becomes a zombie", async () => {
  const { home, folder } = await prepare();
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

test("PostgreSQL gets the signal for an immediate shutdown, and the stop waits until it has exited", async () => {
  const { home, folder } = await prepare();
  await copyFile("/bin/bash", path.join(home, "postgres"));
  const script = "trap 'sleep 0.2; touch stopped; exit' QUIT; echo ready; while :; do sleep 0.01; done";
  const postgres = spawn(path.join(home, "postgres"), ["-c", script], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void postgres.kill("SIGKILL"));
  await once(postgres.stdout, "data");
  await writeFile(path.join(folder, "postmaster.pid"), `${postgres.pid}`);
  await stopLeftover(folder);
  expect(await readdir(folder)).toEqual(["stopped"]);
});

// Process ids start again after a reboot, so that another process can have the one in postmaster.pid.
test.each([
  { process: "a program that isn't PostgreSQL, in the data directory", name: "psql", place: "data" },
  { process: "the PostgreSQL of another data directory", name: "postgres", place: "other" },
])("$process is not stopped, and postmaster.pid is removed", async ({ name, place }) => {
  const { home, folder } = await prepare();
  await mkdir(path.join(home, "other"));
  await copyFile("/bin/sleep", path.join(home, name));
  const other = spawn(path.join(home, name), ["1000"], { cwd: path.join(home, place), stdio: "ignore" });
  await once(other, "spawn");
  await writeFile(path.join(folder, "postmaster.pid"), `${other.pid}\n`);
  await stopLeftover(folder);
  expect(await readdir(folder)).toEqual([]);
  // A process that had received SIGQUIT would end with that signal instead.
  other.kill("SIGTERM");
  expect(await once(other, "exit")).toEqual([null, "SIGTERM"]);
});

test.each(["", "not a number", "1", "-1"])(
  "a postmaster.pid with the text '%s' names no process, and is removed",
  async (text) => {
    const { folder } = await prepare();
    await writeFile(path.join(folder, "postmaster.pid"), text);
    await stopLeftover(folder);
    expect(await readdir(folder)).toEqual([]);
  },
);

test("a data directory without postmaster.pid needs no stop", async () => {
  const { folder } = await prepare();
  await stopLeftover(folder);
  expect(await readdir(folder)).toEqual([]);
});
