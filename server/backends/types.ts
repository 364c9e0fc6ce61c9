import type { Hono } from "hono";
import type { DataClient, Backend as PublishedBackend } from "../../app/data/client.ts";
import type { Log } from "../http/log.ts";
import type { OwnerConnection } from "../postgres/owner-connection.ts";
import type { DemoMember } from "../postgres/seed.ts";

export interface Backend {
  place: string;
  /** Throws OperatorError. `print` writes a line for whoever waits at the terminal. */
  start(log: Log, print: (line: string) => void): Promise<RunningBackend>;
  /** Checks what `start` would check; says what is well. Throws OperatorError. */
  check(isSiteRunning: boolean): Promise<string>;
  administration(): Promise<Administration>;
  /** To the site's database; with `new`, to one that is made where there is none. Throws OperatorError. */
  connectAsOwner(log: Log, wanted: "existing" | "new"): Promise<OwnerConnection>;
}

export interface Administration {
  url: string;
  serviceKey: string;
  whenAbsent: string;
  whenRefused: string;
}

export interface RunningBackend {
  /** What pages tell browsers about it. An empty `url` is the site's own origin. */
  published: PublishedBackend;
  demo?: DemoMember | undefined;
  createRoutes(events: BackendEvents): Promise<BackendRoutes>;
  ready(): Promise<boolean>;
  /** How many there are in each state. Absent without a connection pool of our own. */
  connections?(): Record<string, number>;
  /** Goes on sending mails until then, a time of `performance.now()`. */
  close(until: number): Promise<void>;
}

export interface BackendEvents {
  /** After a committed write to a table. */
  onWrite(): void;
  /** `isLimited`: the sign-in was refused because too many before it had failed. */
  onSignInFailed(isLimited: boolean): void;
}

export interface BackendRoutes {
  routes: Hono;
  data: DataClient;
}
