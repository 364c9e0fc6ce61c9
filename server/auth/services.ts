import type { Context } from "hono";
import type { PoolClient } from "pg";
import { errorName } from "../config/error-message.ts";
import type { Settings } from "../config/settings.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Log } from "../http/log.ts";
import type { Database } from "../postgres/database.ts";
import type { Tokens } from "./access-token.ts";
import { createMailLimits, createSignInLimits } from "./attempt-limits.ts";
import { createCounters } from "./counters.ts";
import type { SendMail } from "./mail.ts";
import { createPasswords, type Passwords } from "./passwords.ts";
import { type SignedIn, sessionBody } from "./store/sessions.ts";

export interface AuthDependencies {
  database: Database;
  tokens: Tokens;
  log: Log;
  sendMail: SendMail;
  settings: Pick<Settings, "siteUrl" | "siteName" | "redirectUrls" | "trustedProxies">;
  onWrite(): void;
  onSignInFailed?(isLimited: boolean): void;
  passwords?: Passwords;
}

export type AuthServices = ReturnType<typeof createServices>;

export function createServices(dependencies: AuthDependencies) {
  const { database, tokens, settings, log, passwords = createPasswords() } = dependencies;
  const counters = createCounters(database);
  return {
    ...dependencies,
    passwords,
    signInLimits: createSignInLimits(counters),
    allowsMail: createMailLimits(counters),
    transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
      return database.transaction({ role: "supabase_auth_admin" }, work);
    },
    /** Nobody waits for the mail server. */
    mailLater(requestId: string, kind: string, sending: Promise<void>): void {
      sending.catch((error: unknown) =>
        log.error({ requestId, kind, reason: errorName(error) }, "mail.failed"),
      );
    },
    addressOf: (c: Context) => clientAddress(c, settings.trustedProxies),
    sessionBody: (signedIn: SignedIn) => sessionBody(tokens, `${settings.siteUrl}/auth/v1`, signedIn),
  };
}
