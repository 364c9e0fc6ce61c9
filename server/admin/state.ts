import { statfs } from "node:fs/promises";
import type { Finding, SiteState } from "../../common/data/operators.ts";
import type { Settings } from "../config/settings.ts";
import { VERSION } from "../config/version.ts";
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
    version: VERSION,
    database: data[0],
    freeDiskBytes: isElsewhere ? null : await freeBytes(dataDir),
  };
}

async function freeBytes(folder: string): Promise<number | null> {
  const disk = await statfs(folder).catch(() => null);
  return disk && disk.bavail * disk.bsize;
}
