import type { Finding, SiteState } from "../../common/data/operators.ts";
import { VERSION } from "../config/version.ts";
import type { Statistics } from "../postgres/statistics.ts";
import type { AdminContext } from "./admin-context.ts";

/** Throws OperatorError, PostgrestError or DatabaseUnavailableError if the database can't be reached. */
export async function readState(
  { site }: Pick<AdminContext, "site">,
  readStatistics: (() => Promise<Statistics>) | undefined,
  runChecks: () => Promise<Finding[]>,
): Promise<SiteState> {
  const { data } = await site.data.rpc("database_state").throwOnError();
  const statistics = await readStatistics?.();
  return {
    findings: await runChecks(),
    version: VERSION,
    database: data[0],
    lastBackup: statistics?.lastBackup?.toISOString() ?? null,
    freeDiskBytes: statistics?.freeDiskBytes ?? null,
  };
}
