// Installs and builds what the npm commands need. Plain JavaScript without dependencies: it runs before anything is
// installed, on the machine's own Node.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { root } from "./root.mjs";
import { withSetupLock } from "./setup-lock.mjs";
import { runStep } from "./step.mjs";

export { root };

// Node caches compiled code in this folder, which shortens the startup of programs that have run before. Child
// processes inherit the variable.
process.env.NODE_COMPILE_CACHE ??= path.join(root, "node_modules/.cache/node");

// Let the owner read and write new files, whatever the umask.
process.umask(process.umask(0o022) & 0o077);

// Reach the site on this machine directly, even if NODE_USE_ENV_PROXY makes Node use a proxy.
const unproxied = process.env.no_proxy ?? process.env.NO_PROXY;
process.env.no_proxy = [unproxied, "localhost,127.0.0.1,[::1]"].filter(Boolean).join(",");

/** Whether this is the npm package, which contains the build, instead of a clone. */
const isPackage = existsSync(path.join(root, "dist")) && !existsSync(path.join(root, "server"));

const oldestNode = [22, 22];
const installedPackages = "node_modules/.package-lock.json";
const sources = [
  "app",
  "common",
  "public",
  "package-lock.json",
  "react-router.config.ts",
  "tsconfig.json",
  "vite.config.ts",
];

const diskIsFull = [/\bENOSPC\b|no space left/i, "The disk is full: free 1 GB, then run the command again."];
const npmProblems = [
  diskIsFull,
  [
    /\b(EROFS|EACCES|EPERM)\b/,
    "npm isn't allowed to write a file that the log names: make its folder writable for you, then run the command again.",
  ],
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|FETCH_ERROR)\b/,
    "npm can't reach its registry: check the network and npm's proxy settings, then run the command again.",
  ],
  [
    /\bEINTEGRITY\b/,
    "npm received a damaged package: run npm cache clean --force, then run the command again.",
  ],
];

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Installs missing or outdated dependencies. Exits if npm fails. */
export async function ensureInstalled() {
  if (isPackage || isInstalled()) return;
  await withSetupLock(async () => {
    if (!isInstalled()) await install();
  });
}

async function install() {
  // npm writes this file last. Removing it first makes the next command install again if this one is killed.
  rmSync(path.join(root, installedPackages), { force: true });
  // Releases packed by npm contain no lock file, which `npm ci` requires.
  const command = existsSync(path.join(root, "package-lock.json")) ? "ci" : "install";
  const args = [
    command,
    "--include=dev",
    ...["--no-fund", "--no-audit", "--prefer-offline"],
    // By default, npm retries for more than a minute without a network.
    ...["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"],
  ];
  // Use the npm that runs this script, which may not be the one in PATH.
  const npm = process.env.npm_execpath;
  const program = npm?.endsWith(".js")
    ? { program: process.execPath, args: [npm, ...args] }
    : { program: "npm", args, shell: process.platform === "win32" };
  await runStep({ title: "Installing packages", ...program }, explainNpm);
}

function explainNpm(output) {
  const known = npmProblems.find(([pattern]) => pattern.test(output));
  return known?.[1] ?? "npm could not install the packages: see the log, then run the command again.";
}

function isInstalled() {
  const installed = readPackages(installedPackages);
  if (installed === undefined) return false;
  return Object.entries(readPackages("package-lock.json") ?? {}).every(([name, wanted]) => {
    if (name === "" || wanted.peer) return true;
    if (wanted.optional && !isForThisMachine(wanted)) return true;
    return installed[name]?.version === wanted.version && existsSync(path.join(root, name, "package.json"));
  });
}

/**
 * Whether an optional package is certainly for this machine, so that it must be installed. False if the package requires
 * a certain C library, because only npm knows which one this machine has.
 */
function isForThisMachine({ os, cpu, libc }) {
  return Boolean(os?.includes(process.platform) && cpu?.includes(process.arch) && !libc);
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), "utf8")).packages;
  } catch {
    return undefined;
  }
}

/** The path of a module of the server, such as `main`. */
export function serverModule(name) {
  return isPackage ? path.join(root, `dist/server/${name}.js`) : path.join(root, `server/${name}.ts`);
}

/** The Node of the npm package `node` if it is installed, otherwise this one. Exits if that is too old. */
export function findNode() {
  const bundled = findBundledNode();
  if (bundled !== undefined && spawnSync(bundled, ["--version"]).status === 0) return bundled;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return process.execPath;
  return fail(
    isPackage
      ? `Techfolio needs Node ${oldestNode.join(".")} or newer, and this is Node ${process.versions.node}: install a newer Node, or run npm install node@24.`
      : `The package "node" doesn't support ${process.platform}-${process.arch}, and your Node is ${process.version}: install Node ${oldestNode.join(".")} or newer.`,
  );
}

function findBundledNode() {
  try {
    const folder = path.dirname(createRequire(import.meta.url).resolve("node/package.json"));
    return path.join(folder, "bin", process.platform === "win32" ? "node.exe" : "node");
  } catch {
    return undefined;
  }
}

/** Builds the application unless the last build is of the same sources. Exits if the build fails. */
export async function build(node) {
  if (isPackage || isBuilt()) return;
  await withSetupLock(async () => {
    if (!isBuilt()) await buildNow(node);
  });
}

const stamp = path.join(root, "build/sources.sha256");

function isBuilt() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === hashSources();
}

async function buildNow(node) {
  const hash = hashSources();
  rmSync(stamp, { force: true });
  const args = [executable("@react-router/dev", "react-router"), "build"];
  const env = { ...process.env, NODE_ENV: "production" };
  await runStep({ title: "Building the site", program: node, args, env }, explainBuild);
  writeFileSync(stamp, hash);
}

function explainBuild(output) {
  if (diskIsFull[0].test(output)) return diskIsFull[1];
  const [, cause = "see the log"] = /error during build:\s*(.+)/.exec(output) ?? [];
  return `The site could not be built (${cause.trim()}): correct the cause, then run the command again.`;
}

function hashSources() {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(listFiles).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update("\0");
  }
  return hash.digest("hex");
}

function listFiles(name) {
  const found = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [name];
  return readdirSync(path.join(root, name)).flatMap((each) => listFiles(path.join(name, each)));
}

/** The path of a package's program, such as `tsc` of `typescript`. */
export function executable(packageName, command) {
  const folder = path.join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  return path.join(folder, typeof bin === "string" ? bin : bin[command]);
}

/** Runs a package's program. Prints its output. */
export function run(node, packageName, command, args, env = {}) {
  const file = executable(packageName, command);
  return spawnSync(node, [file, ...args], { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
}
