import type { Context } from "hono";
import type { PoolClient } from "pg";
import type { Settings } from "../config/settings.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Log } from "../http/log.ts";
import { createQueue, type Queue } from "../http/queue.ts";
import { type Database, DatabaseUnavailableError } from "../postgres/database.ts";
import type { Tokens } from "./access-token.ts";
import { type Authenticator, createAuthenticator } from "./auth-context.ts";
import { createMailLimits, createSignInLimits, type MailLimits, type SignInLimits } from "./limits.ts";
import type { Mail } from "./mail.ts";
import { createPasswords, type Passwords, tooManySignIns } from "./passwords.ts";
import { type Device, type SignedIn, sessionBody } from "./store/sessions.ts";

/** What the sign-in part of the backend stands on. The last two are for tests. */
export interface AuthDependencies {
  database: Database;
  tokens: Tokens;
  log: Log;
  mail: Mail;
  settings: Pick<Settings, "siteUrl" | "siteName" | "redirectUrls" | "trustedProxies">;
  /** Where failures are counted: in the database when several processes share it. */
  limitStore: "memory" | "database";
  /** Called after a write to a table has been committed. */
  onWrite(table: string): void;
  /** Called after a sign-in that failed; told whether it was one too many. */
  onSignInFailed?(limited: boolean): void;
  now?: () => Date;
  passwords?: Passwords;
}

/** What the endpoints share. */
export interface AuthServices extends AuthDependencies {
  now: () => Date;
  passwords: Passwords;
  authenticator: Authenticator;
  signInLimits: SignInLimits;
  mailLimits: MailLimits;
  /** Where whole sign-ins stand in line, so that one too many is refused before anything is done for it. */
  signIns: Queue;
  /** Runs work in one transaction under the role that owns schema auth. */
  transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  /** Takes a request, returns where it comes from. */
  device(c: Context): Device;
  /** Takes an account with its open session, returns the answer that signs a client in. */
  sessionBody(signedIn: SignedIn): ReturnType<typeof sessionBody>;
}

/** Takes the dependencies, returns what the endpoints share. */
export function createServices(dependencies: AuthDependencies): AuthServices {
  const {
    database,
    tokens,
    settings,
    limitStore,
    now = () => new Date(),
    passwords = createPasswords(),
  } = dependencies;
  const counters = limitStore === "memory" ? "memory" : database;
  return {
    ...dependencies,
    now,
    passwords,
    authenticator: createAuthenticator(tokens),
    signInLimits: createSignInLimits(counters),
    mailLimits: createMailLimits(counters),
    // A line that only waits for the database is not too many people.
    signIns: createQueue({ atOnce: 8, mostWaiting: 64, longestWait: 5_000 }, () =>
      database.isSilent() ? new DatabaseUnavailableError("The database is silent") : tooManySignIns(),
    ),
    transaction: (work) => database.transaction({ role: "supabase_auth_admin" }, work),
    device: (c) => ({
      address: clientAddress(c, settings.trustedProxies),
      userAgent: c.req.header("user-agent"),
    }),
    sessionBody: (signedIn) => sessionBody(tokens, `${settings.siteUrl}/auth/v1`, signedIn, now()),
  };
}
