import { existsSync } from "node:fs";
import path from "node:path";
import type { Settings } from "../../config/settings.ts";
import { chooseAccount } from "../../postgres/embedded/account.ts";
import { findBinaries } from "../../postgres/embedded/binaries.ts";
import { type Finding, ok, problem } from "./finding.ts";

const root = path.join(import.meta.dirname, "../../..");
const oldestNode = [22, 22] as const;

/** Takes the settings, returns whether the programs that the site runs on are there and may run. */
export async function checkRuntime({ dataDir, databaseUrl, supabase }: Settings): Promise<Finding[]> {
  const findings = [checkNode(process.versions.node), checkBuild()];
  if (databaseUrl !== undefined || supabase !== undefined) return findings;
  await findBinaries();
  chooseAccount(path.join(dataDir, "postgres"));
  return [...findings, ok("runtime", "The bundled PostgreSQL can run here.")];
}

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
    return ok("runtime", `Node ${version}.`);
  }
  return problem(
    "runtime",
    `Node ${version} is too old: install ${oldestNode.join(".")} or newer, or use npm start.`,
  );
}

function checkBuild(): Finding {
  return existsSync(path.join(root, "build/server/index.js"))
    ? ok("runtime", "The application is built.")
    : problem("runtime", "The application is not built: npm start builds it.");
}
