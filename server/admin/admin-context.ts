import type { SendEmail } from "../auth/send-email.ts";
import type { Settings } from "../config/settings.ts";
import type { AdminClient } from "./admin-client.ts";
import type { LogEntry } from "./operator-log.ts";

/**
 * The dependencies of operators' actions. The page and the commands call the same actions. An action resolves to a
 * sentence about its result, and throws OperatorError if it changed nothing.
 */
export interface AdminContext {
  site: AdminClient;
  settings: Pick<Settings, "siteUrl" | "siteName" | "mailTemplates" | "singleSignOn" | "passwordSignIn">;
  /** Undefined if there is no mail server. Actions then return links for the operator to pass on. */
  sendEmail: SendEmail | undefined;
  /** Logs a completed action. Never throws, because the action can no longer fail. */
  record(entry: LogEntry): Promise<void>;
}

/** The note of every removal. */
export const ONLY_IN_BACKUPS = "Only a backup that was made before this can restore it.";
