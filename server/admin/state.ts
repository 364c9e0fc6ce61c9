import { readFile, statfs } from "node:fs/promises";
import path from "node:path";
import type { Finding, SiteState } from "../../common/data/operators.ts";
import type { Settings } from "../config/settings.ts";
import type { AdminContext } from "./admin-context.ts";

/** Throws OperatorError or PostgrestError if the database can't be reached. */
export async function readState(
  { site }: Pick<AdminContext, "site">,
  { dataDir, supabase, databaseUrl }: Pick<Settings, "dataDir" | "supabase" | "databaseUrl">,
  runChecks: () => Promise<Finding[]>,
): Promise<SiteState> {
  const { data } = await site.data.rpc("database_state").throwOnError();
  const isElsewhere = supabase !== undefined || databaseUrl !== undefined;
  return {
    findings: await runChecks(),
    version: await readVersion(),
    database: data[0],
    freeDiskBytes: isElsewhere ? null : await freeBytes(dataDir),
  };
}

async function readVersion(): Promise<string> {
  const text = await readFile(path.resolve(import.meta.dirname, "../../package.json"), "utf8");
  return JSON.parse(text).version;
}

async function freeBytes(folder: string): Promise<number | null> {
  const disk = await statfs(folder).catch(() => null);
  return disk && disk.bavail * disk.bsize;
}
