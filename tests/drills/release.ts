import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../support/node.ts";

const run = promisify(execFile);

/** The release to upgrade from. UPGRADE_FROM names another revision, such as a commit. */
export const RELEASE = process.env["UPGRADE_FROM"] ?? "v0.2.0";

/** Returns the release's tag, or in a copy without tags the commit that CHANGELOG.md names, or undefined without both. */
export async function findRelease(): Promise<string | undefined> {
  const changelog = await readFile(path.join(ROOT, "CHANGELOG.md"), "utf8");
  const [, commit] = changelog.match(`\n## \\[${RELEASE.slice(1)}\\].*, commit (\\w+)`) ?? [];
  for (const revision of [RELEASE, commit].filter((each) => each !== undefined)) {
    const exists = await run("git", ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`], {
      cwd: ROOT,
    }).then(
      () => true,
      () => false,
    );
    if (exists) return revision;
  }
  return undefined;
}

/**
 * Packs the release from its own source, and installs the package into an empty folder, which `opened` deletes. Returns
 * the server's main module.
 */
export async function installRelease(opened: AsyncDisposableStack, revision: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-release-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  // If the drill runs as root, PostgreSQL runs as another account, which must be able to enter the folder.
  await chmod(folder, 0o755);
  const [source, installed] = [path.join(folder, "source"), path.join(folder, "installed")];
  const archive = path.join(folder, "source.tar");
  const npm = (cwd: string, ...args: string[]) => run("npm", args, { cwd, maxBuffer: 2 ** 26 });
  await run("mkdir", [source, installed]);
  await run("git", ["archive", "--output", archive, revision], { cwd: ROOT });
  await run("tar", ["--extract", "--file", archive, "--directory", source]);
  await npm(source, "pack", "--pack-destination", installed);
  const [file = ""] = await readdir(installed);
  await npm(installed, "init", "--yes");
  await npm(installed, "install", "--prefer-offline", "--no-audit", "--no-fund", `./${file}`);
  return path.join(installed, "node_modules/techfolio/dist/server/main.js");
}
