import type { Hono } from "hono";
import type { BackendAddress, DataClient } from "../../app/data/client.ts";
import type { Log } from "../http/log.ts";
import type { OwnerConnection } from "../postgres/owner-connection.ts";
import type { DemoMember } from "../postgres/seed.ts";

export interface Backend {
  /** Names the data in messages, for example `DATA_DIR /srv/techfolio`. */
  place: string;
  /** Throws OperatorError. `print` writes a line to standard output. */
  start(log: Log, print: (line: string) => void): Promise<RunningBackend>;
  /** Checks what `start` needs, without starting anything. Resolves to a sentence to print. Throws OperatorError. */
  check(isSiteRunning: boolean): Promise<string>;
  administration(): Promise<Administration>;
  /** Connects to the site's database. With `new`, creates the embedded database if necessary. Throws OperatorError. */
  connectAsOwner(log: Log, wanted: "existing" | "new"): Promise<OwnerConnection>;
}

export interface Administration {
  url: string;
  serviceKey: string;
  /** The end of the error message if the site doesn't respond. It tells the operator what to do. */
  ifUnreachable: string;
  /** The end of the error message if the site rejects the service key. It tells the operator what to do. */
  ifKeyRejected: string;
}

export interface RunningBackend {
  /** The backend's settings for browsers. An empty `url` means the site's own origin. */
  published: BackendAddress;
  demo?: DemoMember | undefined;
  createApi(events: BackendEvents): Promise<BackendApi>;
  ready(): Promise<boolean>;
  /** Counts the pool's connections by state, and the waiting queries. Undefined without a pool. */
  connections?(): Record<string, number>;
  /** Waits for unsent emails until `deadline` (on the clock of `performance.now()`), and then closes the database. */
  close(deadline: number): Promise<void>;
}

export interface BackendEvents {
  /** Called after a committed write that may change pages. */
  onWrite(): void;
  /** `isLimited` means that the sign-in was rejected after too many failures. */
  onSignInFailed(isLimited: boolean): void;
}

export interface BackendApi {
  /** Serves `/rest/v1`, `/auth/v1` and `/storage/v1`. On a Supabase project, it forwards them. */
  api: Hono;
  /** Through it, loaders send requests to the API, in process where possible. */
  data: DataClient;
}
