import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { release } from "../../server/cli/programs/release.ts";
import { NODE, ROOT } from "../support/node.ts";
import { PROXIES } from "../support/proxies.ts";
import { runHere } from "../support/run-here.ts";
import type { Drill, Figure } from "./figure.ts";
import { failures, underLoad } from "./rolling.ts";

const BUSY_LOOPS = 2;

/** Starts programs that each use a whole core. */
function startLoops(opened: AsyncDisposableStack): void {
  for (let count = 0; count < BUSY_LOOPS; count += 1) {
    const loop: ChildProcess = spawn(NODE, ["-e", "for (;;);"], { stdio: "ignore" });
    opened.defer(async () => void loop.kill("SIGKILL"));
  }
}

/** Returns a site's folder with the release of this tree. */
async function makeFolder(opened: AsyncDisposableStack, version: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-release-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const installed = path.join(folder, "releases", version, "node_modules/techfolio");
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, "package.json"), JSON.stringify({ version }));
  await symlink(path.join("releases", version), path.join(folder, "current"));
  return folder;
}

/** Puts a program `systemctl` into PATH, which restarts a unit with `restart`. */
async function fakeSystemctl(
  opened: AsyncDisposableStack,
  units: string[],
  restart: (unit: string) => Promise<unknown>,
): Promise<void> {
  const control = createServer(async (request, response) => {
    const [, command, unit = "", ...more] = decodeURIComponent(request.url ?? "").split("/");
    if (command === "restart") await restart(unit);
    const listed = command === "list-units" && more.includes("--state=active") ? units : [];
    response.end(listed.map((name) => `${name}.service loaded\n`).join(""));
  }).listen(0, "127.0.0.1");
  await once(control, "listening");
  opened.defer(async () => void control.close());
  const address = `http://127.0.0.1:${(control.address() as AddressInfo).port}/`;
  const programs = await mkdtemp(path.join(tmpdir(), "techfolio-systemctl-"));
  opened.defer(() => rm(programs, { recursive: true, force: true }));
  const program = path.join(programs, "systemctl");
  const script = `fetch("${address}" + process.argv.slice(2).map(encodeURIComponent).join("/"))
    .then(async (response) => process.stdout.write(await response.text()));`;
  await writeFile(program, `#!${NODE}\n${script}\n`);
  await chmod(program, 0o755);
  const before = process.env["PATH"];
  process.env["PATH"] = `${programs}:${before}`;
  opened.defer(async () => {
    process.env["PATH"] = before;
  });
}

export const busyRelease: Drill = {
  name: "release",
  title: "`techfolio release` on a busy machine fails no request",
  async run(scale): Promise<Figure[]> {
    const rounds = scale === "long" ? 3 : 1;
    const { version } = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
    const figures: Figure[] = [];
    for (const proxy of PROXIES.filter((each) => each.version !== undefined && each.name !== "nginx")) {
      await using opened = new AsyncDisposableStack();
      const folder = await makeFolder(opened, version);
      let failed = "";
      const requests = await underLoad({ processes: 2, proxy }, async ({ sites, proxyUrl, replace }) => {
        const units = sites.map(({ url }) => `techfolio@${new URL(url).port}`);
        await fakeSystemctl(opened, units, (unit) => replace(units.indexOf(unit), undefined));
        startLoops(opened);
        for (let round = 0; round < rounds; round += 1) {
          const { code, stdout, stderr } = await runHere(release, [version, "--folder", folder], {
            SITE_URL: proxyUrl,
          });
          if (code !== 0) failed = stdout + stderr;
        }
      });
      if (failed) throw new Error(failed);
      const goal = `${rounds} × release of two processes beside ${BUSY_LOOPS} busy loops, ${proxy.name} ${proxy.version}`;
      figures.push(failures(`${goal}: no request fails`, requests));
    }
    if (figures.length === 0)
      figures.push({ goal: "release behind a proxy", measured: "not run: no proxy is installed", ok: true });
    return figures;
  },
};
