import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

const PACKAGE = "node_modules/one";
const LOG = "node_modules/.cache/techfolio/setup.log";

/** A stand-in for npm. It runs in the project's folder. */
const INSTALL = `
  const { appendFileSync, mkdirSync, rmSync, writeFileSync } = require("node:fs");
  appendFileSync("installs.txt", process.argv.slice(2).join(" ") + "\\n");
  rmSync("node_modules", { recursive: true, force: true });
  mkdirSync("${PACKAGE}", { recursive: true });
  writeFileSync("${PACKAGE}/package.json", "{}");
  console.warn("npm warn a warning");
  writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: { "${PACKAGE}": { version: "1.0.0" } } }));
`;

/** Creates a project and returns its folder. Its `doctor` command prints a line. */
async function makeProject(npm: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-setup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(import.meta.dirname, path.join(folder, "scripts"), { recursive: true });
  await mkdir(path.join(folder, "server/cli"), { recursive: true });
  await writeFile(path.join(folder, "server/cli/doctor.ts"), 'console.log("The command ran.");');
  const packages = { "": {}, [PACKAGE]: { version: "1.0.0", dev: true } };
  await writeFile(path.join(folder, "package-lock.json"), JSON.stringify({ packages }));
  await writeFile(path.join(folder, "npm.js"), npm);
  return folder;
}

function start(
  folder: string,
  command = ["techfolio.mjs", "doctor"],
  settings = {},
  node = process.execPath,
): ChildProcess {
  const [script = "", ...args] = command;
  const env = { PATH: process.env["PATH"], TMPDIR: tmpdir(), npm_execpath: path.join(folder, "npm.js") };
  return spawn(node, [path.join(folder, "scripts", script), ...args], {
    cwd: folder,
    env: { ...env, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function resultOf({ stdout, stderr, ...child }: ChildProcess, ended: Promise<unknown[]>) {
  if (stdout === null || stderr === null) throw new Error(`Process ${child.pid} has no output`);
  const [out, errors, [code]] = await Promise.all([text(stdout), text(stderr), ended]);
  return { code, stdout: out, stderr: errors };
}

function run(...startArguments: Parameters<typeof start>) {
  const child = start(...startArguments);
  return resultOf(child, once(child, "exit"));
}

const read = (folder: string, file: string) => readFile(path.join(folder, file), "utf8");

test("the first command installs the packages, and the second runs immediately", async () => {
  const folder = await makeProject(INSTALL);
  expect(await run(folder)).toEqual({
    code: 0,
    stdout: "The command ran.\n",
    stderr: "Installing packages…\n",
  });
  expect(await read(folder, "installs.txt")).toContain("--include=dev");
  expect(await read(folder, LOG)).toBe("Installing packages…\nnpm warn a warning\n\n");
  expect(await run(folder)).toEqual({ code: 0, stdout: "The command ran.\n", stderr: "" });
});

/** Node's own programs in PATH. They may include an older one, which users run `npm start` with. */
const NODES = (process.env["PATH"] ?? "")
  .split(path.delimiter)
  .map((folder) => path.join(folder, "node"))
  .filter((file) => existsSync(file));

test.each([...new Set([process.execPath, ...NODES])])(
  "npm start reports a wrong METRICS_TOKEN before it installs anything, run by %s",
  async (node) => {
    const folder = await makeProject(INSTALL);
    await writeFile(path.join(folder, ".env"), "METRICS_TOKEN=short\n");
    const { code, stdout, stderr } = await run(folder, ["start.mjs"], {}, node);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^METRICS_TOKEN must be at least 16 characters long.*\n$/);
    await expect(read(folder, "installs.txt")).rejects.toThrow("ENOENT");
  },
);

test("packages that are missing or that a killed installation left incomplete are installed again", async () => {
  const folder = await makeProject(INSTALL);
  await run(folder);
  await rm(path.join(folder, PACKAGE), { recursive: true });
  expect((await run(folder)).stderr).toBe("Installing packages…\n");
  await writeFile(path.join(folder, "npm.js"), 'process.kill(process.ppid, "SIGKILL");');
  await rm(path.join(folder, PACKAGE), { recursive: true });
  await run(folder);
  await mkdir(path.join(folder, PACKAGE));
  await writeFile(path.join(folder, PACKAGE, "package.json"), "{}");
  await writeFile(path.join(folder, "npm.js"), INSTALL);
  expect(await run(folder)).toMatchObject({ code: 0, stderr: "Installing packages…\n" });
});

test.each([
  ["npm error code ENOSPC", "The disk is full: free 1 GB"],
  ["npm error code EAI_AGAIN", "npm can't reach its registry: check the network"],
  ["npm error network connect ECONNREFUSED 127.0.0.1:9", "npm can't reach its registry"],
  ["npm error code EACCES", "npm isn't allowed to write a file"],
  ["npm error code EINTEGRITY", "npm received a damaged package"],
  ["npm error something new", "npm could not install the packages"],
])("a failed installation (%s) prints one sentence and the name of the log", async (output, sentence) => {
  const folder = await makeProject(`console.error("${output}"); process.exit(1);`);
  const { code, stdout, stderr } = await run(folder);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  const lines = stderr.trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(sentence);
  expect(lines[2]).toContain(LOG);
  expect(await read(folder, LOG)).toContain(output);
});

test("if the log can't be written, a failed installation prints the end of npm's output", async () => {
  const folder = await makeProject(`
    require("node:fs").mkdirSync("node_modules/.cache", { recursive: true });
    require("node:fs").writeFileSync("node_modules/.cache/techfolio", "");
    console.error("npm error code ENOSPC");
    process.exit(1);
  `);
  const child = spawn(process.execPath, [path.join(folder, "scripts/techfolio.mjs"), "doctor"], {
    env: { npm_execpath: path.join(folder, "npm.js"), TMPDIR: path.join(folder, "missing") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { stderr } = await resultOf(child, once(child, "exit"));
  expect(stderr).toContain("The disk is full");
  expect(stderr).toContain("npm error code ENOSPC");
});

test("a second command waits while the first one installs, and installs nothing itself", async () => {
  const folder = await makeProject(`
    require("node:fs").writeFileSync("installing", "");
    while (!require("node:fs").existsSync("continue")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    ${INSTALL}
  `);
  const first = start(folder);
  const firstResult = resultOf(first, once(first, "exit"));
  await expect.poll(() => read(folder, "installing").catch(() => "not yet")).toBe("");
  const second = start(folder);
  const waiting = once(second.stderr ?? second, "data");
  const exit = once(second, "exit");
  expect(String(await waiting)).toBe(`Waiting for process ${first.pid}, which is installing or building…\n`);
  await writeFile(path.join(folder, "continue"), "");
  expect((await firstResult).code).toBe(0);
  expect((await exit)[0]).toBe(0);
  expect((await read(folder, "installs.txt")).match(/\n/g)).toHaveLength(1);
});

test("a command that is interrupted during the installation also ends npm and removes its lock", async () => {
  const folder = await makeProject(`
    require("node:fs").writeFileSync("npm.pid", String(process.pid));
    setInterval(() => undefined, 1_000);
  `);
  const child = start(folder);
  const ended = once(child, "exit");
  await expect.poll(() => read(folder, "npm.pid").catch(() => "")).toMatch(/^\d+$/);
  child.kill("SIGTERM");
  expect((await ended)[0]).toBe(1);
  const npm = Number(await read(folder, "npm.pid"));
  expect(() => process.kill(npm, 0)).toThrow("ESRCH");
  await expect(read(folder, ".setup.lock")).rejects.toThrow("ENOENT");
});

test("if a command's parent is killed during the installation, the command ends too", async () => {
  const folder = await makeProject(`
    require("node:fs").writeFileSync("npm.pid", String(process.pid));
    setInterval(() => undefined, 1_000);
  `);
  const program = path.join(folder, "scripts/techfolio.mjs");
  const parent = spawn("sh", ["-c", `"${process.execPath}" "${program}" doctor; true`], {
    env: { npm_execpath: path.join(folder, "npm.js"), TMPDIR: tmpdir() },
    stdio: "ignore",
  });
  await expect.poll(() => read(folder, "npm.pid").catch(() => "")).toMatch(/^\d+$/);
  const npm = Number(await read(folder, "npm.pid"));
  parent.kill("SIGKILL");
  await expect.poll(() => read(folder, ".setup.lock").catch(() => "removed")).toBe("removed");
  expect(() => process.kill(npm, 0)).toThrow("ESRCH");
});
