// Packs the project, installs the package into an empty folder and does the main job there: starts the site, adds a
// member, signs in, publishes an article, draws its card, and restores a backup. Doesn't run install scripts, because some
// package managers skip them.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "./root.mjs";

const PORT = "3975";
const LOGIN = { email: "member@example.com", password: "a-long-password" };
/** Without Node. */
const MAX_MEGABYTES = 120;
const DEVELOPMENT = ["typescript", "vite", "vitest", "playwright", "@biomejs", "node", "tailwindcss"];

const folder = mkdtempSync(path.join(tmpdir(), "techfolio-package-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir(), PORT, SEED: "none" };
const program = path.join(folder, "node_modules/.bin/techfolio");

npm(root, "pack", "--pack-destination", folder);
const [file] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
npm(folder, "init", "--yes");
npm(folder, "install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", `./${file}`);
const installed = readdirSync(path.join(folder, "node_modules"));
assert.deepEqual(
  installed.filter((name) => DEVELOPMENT.includes(name)),
  [],
);

const dist = path.join(folder, "node_modules/techfolio/dist");
const bill = JSON.parse(readFileSync(path.join(dist, "bom.cdx.json"), "utf8"));
const listed = bill.components.map(({ name, version }) => `${name} ${version}`);
const lockFile = path.join(folder, "node_modules/.package-lock.json");
const packages = Object.entries(JSON.parse(readFileSync(lockFile, "utf8")).packages)
  .map(([location, { version }]) => `${location.replace(/^.*node_modules\//, "")} ${version}`)
  .filter((name) => !name.startsWith("techfolio "));
assert.deepEqual(
  packages.filter((name) => !listed.includes(name)),
  [],
);
for (const { name, version, licenses, hashes } of bill.components)
  assert.ok(
    version && licenses && hashes,
    `${name} has no version, license or checksum in the bill of materials`,
  );
const files = readdirSync(path.join(folder, "node_modules"), { recursive: true }).map((name) =>
  lstatSync(path.join(folder, "node_modules", name)),
);
const megabytes = files.reduce((sum, { size }) => sum + size, 0) / 1_000_000;
console.log(`The installed release has ${Math.round(megabytes)} MB.`);
assert.ok(megabytes <= MAX_MEGABYTES);

const site = await start({ DATA_DIR: "./data" });
run({ DATA_DIR: "./data" }, "member", "add", "--email", LOGIN.email, "--password", LOGIN.password);
const page = await (await fetch(`http://127.0.0.1:${PORT}/`)).text();
const apikey = /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/.exec(page)?.[0] ?? "";
const session = await post("/auth/v1/token?grant_type=password", LOGIN, apikey);
const article = { author_id: session.user.id, title: "From a package", content: "It works." };
await post("/rest/v1/articles?select=id", article, session.access_token);
assert.match(await readArticles(), /From a package/);
const [, card = ""] = /property="og:image" content="([^"]+)"/.exec(page) ?? [];
assert.equal((await fetch(card)).headers.get("content-type"), "image/png");
assert.match(run({ DATA_DIR: "./data" }, "doctor"), /No problems were found/);
for (const command of ["member", "content", "backup", "restore", "doctor", "release"]) {
  const help = run({}, command, "--help");
  assert.match(help, new RegExp(`^npx techfolio ${command}`));
  assert.doesNotMatch(help, /npm (run|start)/);
}
run({ DATA_DIR: "./data" }, "backup", "site.sql");
await stop(site);

run({ DATA_DIR: "./copy" }, "restore", "site.sql");
const copy = await start({ DATA_DIR: "./copy" });
assert.match(await readArticles(), /From a package/);
await stop(copy);
console.log("The package works.");

function npm(cwd, ...args) {
  const { status } = spawnSync("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  assert.equal(status, 0, `npm ${args[0]} failed`);
}

function run(settings, ...args) {
  const options = { cwd: folder, env: { ...env, ...settings }, encoding: "utf8" };
  const { status, stdout, stderr } = spawnSync(program, args, options);
  assert.equal(status, 0, `techfolio ${args[0]}: ${stdout}${stderr}`);
  return stdout;
}

async function start(settings) {
  const stdio = ["ignore", "pipe", "inherit"];
  const child = spawn(program, { cwd: folder, env: { ...env, ...settings, LOG_FORMAT: "json" }, stdio });
  process.on("exit", () => child.kill());
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    if (text.includes("Techfolio is running")) return child;
  }
  throw new Error("The site did not start.");
}

async function stop(child) {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

async function readArticles() {
  return (await fetch(`http://127.0.0.1:${PORT}/articles`)).text();
}

async function post(target, body, token) {
  const response = await fetch(`http://127.0.0.1:${PORT}${target}`, {
    method: "POST",
    headers: {
      apikey,
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Prefer: "return=representation",
    },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, await response.clone().text());
  return response.json();
}
