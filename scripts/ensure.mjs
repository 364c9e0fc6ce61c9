// Installs and builds what the npm commands need. Plain JavaScript without dependencies: it runs before anything is
// installed, on the machine's own Node.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");

// Node caches compiled code in this folder, which shortens the startup of programs that have run before. Child
// processes inherit the variable.
process.env.NODE_COMPILE_CACHE ??= path.join(root, "node_modules/.cache/node");

// Clear the umask's bits for the file's owner. Otherwise, the user might not be able to use the files that this script
// and its child processes create.
process.umask(process.umask(0o022) & 0o077);

// Reach the site on this machine directly, even if NODE_USE_ENV_PROXY makes Node use a proxy.
const unproxied = process.env.no_proxy ?? process.env.NO_PROXY;
process.env.no_proxy = [unproxied, "localhost,127.0.0.1,[::1]"].filter(Boolean).join(",");

const oldestNode = [22, 22];
const sources = [
  "app",
  "common",
  "public",
  "package-lock.json",
  "react-router.config.ts",
  "tsconfig.json",
  "vite.config.ts",
];

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Installs missing or outdated dependencies. Exits if npm fails. */
export function ensureInstalled({ development = false } = {}) {
  if (isInstalled(development)) return;
  console.log("Installing dependencies…");
  // Releases packed by npm contain no lock file, which `npm ci` requires.
  const command = existsSync(path.join(root, "package-lock.json")) ? "ci" : "install";
  const args = [command, "--include=dev", "--no-fund", "--no-audit"];
  // Use the npm that runs this script, which may not be the one in PATH.
  const npm = process.env.npm_execpath;
  const { status } = npm?.endsWith(".js")
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: "inherit" })
    : spawnSync("npm", args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) fail("npm could not install the dependencies; see above.");
}

function isInstalled(development) {
  const installed = readPackages("node_modules/.package-lock.json");
  if (installed === undefined) return false;
  return Object.entries(readPackages("package-lock.json") ?? {}).every(([name, wanted]) => {
    if (name === "" || wanted.peer || (wanted.dev && !development)) return true;
    if (wanted.optional && !isForThisMachine(wanted)) return true;
    return installed[name]?.version === wanted.version;
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

export function findNode() {
  const bundled = path.join(
    root,
    "node_modules/node/bin",
    process.platform === "win32" ? "node.exe" : "node",
  );
  if (existsSync(bundled) && spawnSync(bundled, ["--version"]).status === 0) return bundled;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return process.execPath;
  return fail(
    `The package "node" doesn't support ${process.platform}-${process.arch}, and your Node is ${process.version}: install Node ${oldestNode.join(".")} or newer.`,
  );
}

export function build(node) {
  const stamp = path.join(root, "build/sources.sha256");
  const hash = hashSources();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return true;
  console.log("Building…");
  rmSync(stamp, { force: true });
  const { status } = run(node, "@react-router/dev", "react-router", ["build"], { NODE_ENV: "production" });
  if (status === 0) writeFileSync(stamp, hash);
  return status === 0;
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

export function run(node, packageName, command, args, env = {}) {
  const folder = path.join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = path.join(folder, typeof bin === "string" ? bin : bin[command]);
  return spawnSync(node, [file, ...args], { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
}
