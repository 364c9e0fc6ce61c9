import type { Hono } from "hono";
import type { DataClient, Backend as PublishedBackend } from "../../app/data/client.ts";
import type { Log } from "../http/log.ts";
import type { Follower } from "../postgres/change-notifications.ts";
import type { PoolUse } from "../postgres/database.ts";
import type { DemoMember } from "../postgres/seed.ts";

/** Where accounts and content live: the embedded database, a PostgreSQL server or a Supabase project. */
export interface Backend {
  /** Throws StartError. `tell` prints a line for the person who waits. */
  start(log: Log, tell: (line: string) => void): Promise<RunningBackend>;
}

/** A started backend, as the application uses it. */
export interface RunningBackend {
  /** What pages tell browsers about it. An empty `url` is the site's own origin. */
  published: PublishedBackend;
  /** Set only by the start that loaded the demo community. */
  demo: DemoMember | undefined;
  createRoutes(events: BackendEvents): Promise<BackendRoutes>;
  /** Reports writes by anyone until the backend is closed. Never reports where nobody can know of them. */
  follow(follower: Follower): void;
  ready(): Promise<boolean>;
  /** Whether writes must be refused to keep the database running. */
  isDiskFull(): boolean;
  /** Undefined without a connection pool of our own. */
  connections(): PoolUse | undefined;
  close(): Promise<void>;
}

export interface BackendEvents {
  /** After a committed write to a table. */
  onWrite(): void;
  /** `isLimited`: the sign-in was refused because too many before it had failed. */
  onSignInFailed(isLimited: boolean): void;
}

export interface BackendRoutes {
  /** `/rest/v1/*` and `/auth/v1/*`. */
  routes: Hono;
  /** Reads as an anonymous visitor, for loaders. */
  data: DataClient;
}
