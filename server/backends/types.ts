import type { Hono } from "hono";
import type { DataClient, Backend as PublishedBackend } from "../../app/data/client.ts";
import type { Log } from "../http/log.ts";
import type { OwnerConnection } from "../postgres/owner-connection.ts";
import type { DemoMember } from "../postgres/seed.ts";

export interface Backend {
  place: string;
  /** Throws OperatorError. `print` writes a line to the terminal. */
  start(log: Log, print: (line: string) => void): Promise<RunningBackend>;
  /** Runs the checks of `start`. Resolves to a description of the result. Throws OperatorError. */
  check(isSiteRunning: boolean): Promise<string>;
  administration(): Promise<Administration>;
  /** Connects to the site's database. With `new`, creates it if it doesn't exist. Throws OperatorError. */
  connectAsOwner(log: Log, wanted: "existing" | "new"): Promise<OwnerConnection>;
}

export interface Administration {
  url: string;
  serviceKey: string;
  whenAbsent: string;
  whenRefused: string;
}

export interface RunningBackend {
  /** The backend's settings for browsers. An empty `url` means the site's own origin. */
  published: PublishedBackend;
  demo?: DemoMember | undefined;
  createRoutes(events: BackendEvents): Promise<BackendRoutes>;
  ready(): Promise<boolean>;
  /** The number of pool connections by state. Absent without our own pool. */
  connections?(): Record<string, number>;
  /** Keeps sending mails until this time of `performance.now()`. */
  close(until: number): Promise<void>;
}

export interface BackendEvents {
  /** Called after a committed write to a table. */
  onWrite(): void;
  /** `isLimited` means that the sign-in was rejected after too many failures. */
  onSignInFailed(isLimited: boolean): void;
}

export interface BackendRoutes {
  routes: Hono;
  data: DataClient;
}
