import { Hono } from "hono";
import type { Tokens } from "../auth/access-token.ts";
import { createAuth } from "../auth/auth-routes.ts";
import type { Mail } from "../auth/mail.ts";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../http/log.ts";
import type { Database } from "../postgres/database.ts";
import { createRest } from "../rest/rest-routes.ts";

/** What the built-in backend stands on. */
export interface BackendParts {
  settings: Settings;
  database: Database;
  tokens: Tokens;
  mail: Mail;
  log: Log;
  /** Called after a write to a table has been committed. */
  onWrite(table: string): void;
  /** Called after a sign-in that failed; told whether it was one too many. */
  onSignInFailed?(limited: boolean): void;
}

/** Takes its parts, returns the part of the Supabase protocol that the product's calls need. */
export async function createBackend(parts: BackendParts): Promise<Hono> {
  const backend = new Hono();
  backend.route("/rest/v1", await createRest(parts));
  backend.route("/auth/v1", createAuth(parts));
  return backend;
}
