import { chmod, mkdir, mkdtemp, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { linkLibraries } from "./binaries.ts";

/** Creates an installation of PostgreSQL's package without its links. */
async function prepare() {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-postgres-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const lib = path.join(folder, "native/lib");
  await mkdir(lib, { recursive: true });
  await writeFile(path.join(lib, "libpq.so.5.18"), "");
  const links = [
    { source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so" },
    { source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" },
  ];
  await writeFile(path.join(folder, "native/pg-symlinks.json"), JSON.stringify(links));
  const bin = path.join(folder, "native/bin");
  return { lib, binaries: { initdb: path.join(bin, "initdb"), postgres: path.join(bin, "postgres") } };
}

test("the start creates the links to PostgreSQL's libraries that a skipped install script left out", async () => {
  const { lib, binaries } = await prepare();
  await Promise.all([linkLibraries(binaries), linkLibraries(binaries)]);
  await linkLibraries(binaries);
  for (const name of ["libpq.so", "libpq.so.5"])
    expect(await readlink(path.join(lib, name))).toBe("libpq.so.5.18");
});

test("if a link can't be created, the error names the remedy", async () => {
  const { lib, binaries } = await prepare();
  await rm(lib, { recursive: true });
  await expect(linkLibraries(binaries)).rejects.toThrow(/incomplete.+doctor" once as the owner/);
});

test.skipIf(process.getuid?.() === 0)(
  "a user who can't write to the installation learns which command to run",
  async () => {
    const { lib, binaries } = await prepare();
    await chmod(lib, 0o500);
    await expect(linkLibraries(binaries)).rejects.toThrow(/incomplete.+doctor" once as the owner/);
  },
);
