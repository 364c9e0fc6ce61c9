import type { Context } from "hono";
import type { PoolClient } from "pg";
import type { Settings } from "../config/settings.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Log } from "../http/log.ts";
import type { Database } from "../postgres/database.ts";
import type { Tokens } from "./access-token.ts";
import { createMailLimits, createSignInLimits } from "./attempt-limits.ts";
import { createCounters } from "./counters.ts";
import type { Outbox, SendMail } from "./mail.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { type SignedIn, sessionBody } from "./store/sessions.ts";

export interface AuthDependencies {
  database: Database;
  tokens: Tokens;
  log: Log;
  sendMail: SendMail;
  mailLater: Outbox["mailLater"];
  settings: Pick<Settings, "siteUrl" | "siteName" | "redirectUrls" | "trustedProxies">;
  onWrite(): void;
  onSignInFailed?(isLimited: boolean): void;
  passwords?: Passwords;
}

export type AuthServices = ReturnType<typeof createServices>;

export function createServices(dependencies: AuthDependencies) {
  const { database, tokens, settings, passwords = createPasswords() } = dependencies;
  const counters = createCounters(database);
  return {
    ...dependencies,
    passwords,
    signInLimits: createSignInLimits(counters),
    allowsMail: createMailLimits(counters),
    transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
      return database.transaction({ role: "supabase_auth_admin" }, work);
    },
    addressOf: (c: Context) => clientAddress(c, settings.trustedProxies),
    sessionBody: (signedIn: SignedIn) => sessionBody(tokens, `${settings.siteUrl}/auth/v1`, signedIn),
  };
}
