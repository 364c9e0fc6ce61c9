import type { Hono } from "hono";
import type { BackendAddress, DataClient } from "../../common/data/client.ts";
import type { Finding } from "../../common/data/operators.ts";
import type { SignInMethods } from "../../common/page-services.ts";
import type { Administration } from "../admin/admin-client.ts";
import type { IdentifyOperator } from "../admin/operator.ts";
import type { Log } from "../http/log.ts";
import type { OwnerConnection } from "../postgres/owner-connection.ts";
import type { DemoMember } from "../postgres/seed.ts";
import type { Statistics } from "../postgres/statistics.ts";

export interface Backend {
  /** Where the site's data is, in messages to the operator. For example, `DATA_DIR /srv/techfolio`. */
  place: string;
  /** Makes the site's data available to requests. `print` writes a line to standard output. Throws OperatorError. */
  start(log: Log, print: (line: string) => void): Promise<RunningBackend>;
  /**
   * For `npm run doctor`: checks what `start` needs. Starts an embedded PostgreSQL that isn't running, and stops it
   * again. Throws OperatorError if the data can't be used.
   */
  check(isSiteRunning: boolean, log: Log): Promise<Finding[]>;
  administration(): Promise<Administration>;
  /**
   * For backups and restores: connects to the site's database as the embedded superuser or with DATABASE_URL's login.
   * With `new`, creates the embedded database if necessary. Throws OperatorError.
   */
  connectAsOwner(log: Log, wanted: "existing" | "new"): Promise<OwnerConnection>;
}

export interface RunningBackend {
  /** What browsers need to call the backend's API: its URL and public key. An empty `url` means the site's own origin. */
  published: BackendAddress;
  /** The ways to sign in that the backend offers now. */
  signInMethods(): SignInMethods;
  demo?: DemoMember | undefined;
  /** Whether this start created the embedded database. */
  isNew?: boolean;
  createApi(events: BackendEvents): Promise<BackendApi>;
  ready(): Promise<boolean>;
  /**
   * Counts the pools' connections, at most how many there are, and the queries that wait for one, for the metrics.
   * Undefined for a Supabase project, which the site doesn't reach through a connection pool.
   */
  connections?(): Record<string, number>;
  /** Throws DatabaseUnavailableError. Undefined for a Supabase project. */
  statistics?(): Promise<Statistics>;
  /**
   * Waits for unsent emails until `deadline` (on the clock of `performance.now()`), and then closes the database. Does
   * nothing for a Supabase project.
   */
  close(deadline: number): Promise<void>;
}

export interface BackendEvents {
  /** Called after this process has handled a write that may change pages, so that the page cache renders them again. */
  onWrite(): void;
  /**
   * Called when a built-in backend rejects a password. `isLimited` means that too many attempts have failed, so clients
   * have to wait.
   */
  onSignInFailed(isLimited: boolean): void;
  /** Called after the mail server has accepted an email, or after it could not be sent. */
  onMail(isSent: boolean): void;
}

export interface BackendApi {
  /** Serves `/rest/v1`, `/auth/v1` and `/storage/v1`. On a Supabase project, it forwards them. */
  api: Hono;
  /** The client with which page loaders read. It calls a built-in API in process, and a Supabase project's over HTTP. */
  data: DataClient;
  /** For `/admin/v1`. */
  identifyOperator: IdentifyOperator;
  /** How `/admin/v1` reaches the API with the service key. Throws OperatorError if a setting is missing. */
  administration(): Promise<Administration>;
}
