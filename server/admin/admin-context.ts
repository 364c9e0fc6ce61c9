import type { SendEmail } from "../auth/send-email.ts";
import type { Settings } from "../config/settings.ts";
import type { AdminClient } from "./admin-client.ts";
import type { LogEntry } from "./operator-log.ts";

/**
 * What an operator's action needs. The page and the commands call the same actions, which resolve to a sentence that
 * says what happened, and throw OperatorError if nothing did.
 */
export interface AdminContext {
  site: AdminClient;
  settings: Pick<Settings, "siteUrl" | "siteName" | "singleSignOn" | "passwordSignIn">;
  /** Undefined if there is no mail server. Actions then return links for the operator to pass on. */
  sendEmail: SendEmail | undefined;
  /** Logs what was done. Never throws, because the action has already happened. */
  record(entry: LogEntry): Promise<void>;
}

/** The note of every removal. */
export const ONLY_IN_BACKUPS = "Only a backup that was made before this can restore it.";
