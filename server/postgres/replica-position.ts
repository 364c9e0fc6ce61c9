import { errorMessage } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { Follower } from "./change-notifications.ts";
import type { Database } from "./database.ts";

/** A place in the write-ahead log, as PostgreSQL writes it (`pg_lsn`). */
export type Position = string;

/** How far a replica must have come to be read. */
export interface RequiredPosition {
  /** Returns the position, or undefined while it is not known. */
  current(): Position | undefined;
  /** To be called after a write: the position before it no longer counts. */
  moved(): void;
  /** Follows the database, and moves on with each write that is told. */
  follower: Pick<Database, "follow">;
}

// What is committed has been flushed, unless the server was told not to wait for that.
const readPosition = `select (case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as position`;

/** Takes the database that is written to, returns how far its replica must have come. */
export function followPosition(primary: Database, log?: Log): RequiredPosition {
  let position: Position | undefined;
  let moves = 0;
  let isFollowing = false;
  let isAsking = false;
  let isRefused = false;

  async function ask(): Promise<void> {
    while (isFollowing && position === undefined) {
      const before = moves;
      const found = await primary.transaction({ role: "anon" }, (client) =>
        client.query<{ position: Position }>(readPosition),
      );
      isRefused = false;
      // A write that came in between may stand behind what was found.
      if (moves === before) position = found.rows[0]?.position;
    }
  }

  async function renew(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      await ask();
    } catch (error) {
      if (!isRefused) log?.warn("database replica is not used", { reason: errorMessage(error) });
      isRefused = true;
    } finally {
      isAsking = false;
    }
  }

  function moved(): void {
    moves += 1;
    position = undefined;
    void renew();
  }

  function follow(follower: Follower): void {
    primary.follow({
      changed() {
        moved();
        follower.changed();
      },
      following(next) {
        isFollowing = next;
        moved();
        follower.following(next);
      },
    });
  }

  return {
    current() {
      if (isFollowing && position === undefined) void renew();
      return position;
    },
    moved,
    follower: { follow },
  };
}
