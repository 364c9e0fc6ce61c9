import { origin, readEnvironment, readSettings, type Settings } from "../../config/settings.ts";
import { checkPort, checkSiteUrl, whoAnswers } from "./address.ts";
import { checkClock } from "./clock.ts";
import { checkDataDirectory } from "./data-directory.ts";
import { checkDatabase } from "./database.ts";
import { type Finding, look, ok } from "./finding.ts";
import { checkKeys } from "./keys.ts";
import { checkMail } from "./mail.ts";
import { checkProject } from "./project.ts";
import { checkRuntime } from "./runtime.ts";

/**
 * Yields what keeps the site from starting or answering, and what does not, in the order in which a start meets it.
 * Changes nothing. Without settings that make sense nothing else can be said.
 */
export async function* examine(): AsyncGenerator<Finding> {
  let settings: Settings | undefined;
  yield* await look("settings", async () => {
    settings = readSettings(readEnvironment());
    return ok("settings", "They make sense.");
  });
  if (settings !== undefined) yield* examineSite(settings);
}

async function* examineSite(settings: Settings): AsyncGenerator<Finding> {
  const { host, port, supabase, databaseUrl, authJwtSecret } = settings;
  const answer = await whoAnswers(origin(host, port));
  yield* await look("runtime", () => checkRuntime(settings));
  yield* await look("clock", () => checkClock(new Date()));
  yield* await look("port", () => checkPort(settings, answer));
  if (supabase !== undefined) {
    yield* await look("project", () => checkProject(supabase));
  } else {
    const needsFolder = databaseUrl === undefined || authJwtSecret === undefined;
    if (needsFolder) yield* await look("rights", () => checkDataDirectory(settings, answer));
    yield* await look("database", () => checkDatabase(settings));
    yield* await look("keys", () => checkKeys(settings, answer));
  }
  yield* await look("mail", () => checkMail(settings));
  if (answer === "site") yield* await look("address", () => checkSiteUrl(settings));
}
