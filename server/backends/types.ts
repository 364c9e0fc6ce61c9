import type { EventEmitter } from "node:events";
import type { Hono } from "hono";
import type { BackendAddress } from "../../common/data/client.ts";
import type { Finding } from "../../common/data/operators.ts";
import type { DataReader } from "../../common/data/reader.ts";
import type { SignInMethods } from "../../common/page-services.ts";
import type { AdminAccess } from "../admin/admin-client.ts";
import type { JoinMail } from "../admin/join-form.ts";
import type { Operators } from "../admin/operator.ts";
import type { Protect } from "../api/pipeline.ts";
import type { Log } from "../http/log.ts";
import type { OwnerConnection } from "../postgres/owner-connection.ts";
import type { DemoMember } from "../postgres/seed.ts";
import type { Statistics } from "../postgres/statistics.ts";

/** The embedded database, a PostgreSQL server or a Supabase project, with the site's data. */
export interface Backend {
  /** The data's location in messages to the operator. For example, `DATA_DIR /srv/techfolio`. */
  location: string;
  /** Prepares the database, and serves its data. Throws OperatorError. */
  start(options: StartOptions): Promise<BackendApi>;
  /**
   * For `npm run doctor`: checks what `start` needs. Starts an embedded PostgreSQL that isn't running, and stops it
   * again. Throws OperatorError if the data can't be used.
   */
  check(isSiteRunning: boolean, log: Log): Promise<Finding[]>;
  /** How commands reach the running site's API with the service key. Throws OperatorError if a setting is missing. */
  adminAccess(): Promise<AdminAccess>;
  /**
   * For backups and restores: connects to the site's database as the embedded superuser or with DATABASE_URL's login.
   * With `canCreate`, creates the embedded database if necessary. Throws OperatorError.
   */
  connectAsOwner(log: Log, canCreate: boolean): Promise<OwnerConnection>;
}

export interface StartOptions {
  events: BackendEvents;
  log: Log;
  /** Writes a line to standard output. */
  print(line: string): void;
}

/**
 * - `write`: this process has handled a write that may change pages, so the page cache must render them again.
 * - `signInFailed`: a built-in backend has rejected a password. `isLimited` means that too many attempts have failed, so
 *   clients have to wait.
 * - `email`: the mail server has accepted an email, or it could not be sent.
 */
export type BackendEvents = EventEmitter<{
  write: [];
  signInFailed: [isLimited: boolean];
  email: [isSent: boolean];
}>;

export interface BackendApi {
  /** Serves `/rest/v1`, `/auth/v1` and `/storage/v1`. On a Supabase project, it forwards them. */
  routes: Hono;
  /** Executes the page loaders' reads: in the built-in database directly, and in a Supabase project over HTTP. */
  data: DataReader;
  /** The API's URL and public key, for browsers. An empty `url` means the site's own origin. */
  published: BackendAddress;
  /** The ways to sign in that the backend offers now. */
  signInMethods(): SignInMethods;
  /** For the routes of `/admin/v1`, which share the limits of the routes above. */
  protect: Protect;
  operators: Operators;
  /** How `/admin/v1` reaches the API with the service key. Throws OperatorError if a setting is missing. */
  adminAccess(): Promise<AdminAccess>;
  /** How the emails of invitation links are sent. */
  joinMail: JoinMail;
  demo?: DemoMember | undefined;
  /** Whether this start created the embedded database. */
  isNew?: boolean;
  ready(): Promise<boolean>;
  /**
   * Counts the pools' connections, at most how many there are, and the queries that wait for one, for the metrics.
   * A Supabase project has no such function, because the site opens no connections to its database.
   */
  connections?(): Record<string, number>;
  /** Throws DatabaseUnavailableError. Undefined for a Supabase project. */
  statistics?(): Promise<Statistics>;
  /**
   * Waits for unsent emails until `deadline` (on the clock of `performance.now()`), and then closes the database, which a
   * Supabase project doesn't have.
   */
  close(deadline: number): Promise<void>;
}
