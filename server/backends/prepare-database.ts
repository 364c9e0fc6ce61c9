import type pg from "pg";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../http/log.ts";
import { migrate } from "../postgres/migrations.ts";
import { type DemoMember, seed } from "../postgres/seed.ts";
import { ensureServingRole } from "../postgres/serving-role.ts";

interface Preparation {
  url: string;
  seed: Settings["seed"];
  /** Signs tokens; the serving role's password is derived from it. */
  secret: string;
  log: Log;
}

export interface PreparedDatabase {
  connectionString: string;
  demo: DemoMember | undefined;
}

export async function prepareDatabase(
  owner: pg.Client,
  { url, seed: wanted, secret, log }: Preparation,
): Promise<PreparedDatabase> {
  const versions = await migrate(owner);
  if (versions.length > 0) log.info("migrations.applied", { versions });
  const demo = await seed(owner, wanted);
  return { connectionString: await ensureServingRole(owner, url, secret), demo };
}
