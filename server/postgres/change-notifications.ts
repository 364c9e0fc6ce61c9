import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { errorMessage } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";

export interface Follower {
  /** A write to one of the five tables was committed, or may have been while nobody could say so. */
  changed(): void;
  following(isFollowing: boolean): void;
}

export interface ChangesConnection {
  connectionString: string;
  /** On another connection: behind a pooler in transaction mode LISTEN succeeds, and nothing ever comes. */
  notify(channel: string): Promise<unknown>;
  log?: Log | undefined;
}

// The channel of supabase/migrations/20260103000000_changes.sql.
const CHANNEL = "techfolio_changes";
const CONNECT_TIMEOUT_MS = 2_500;
const ANSWER_TIMEOUT_MS = 3_000;
const HEARTBEAT_MS = 5_000;
const PAUSE_MS = 1_000;
const NOTHING_ARRIVES = "Notifications do not arrive: a pooler in transaction mode?";

/** Reconnects when lost, and counts as following once a notification of its own has arrived. */
export function followChanges({ connectionString, notify, log }: ChangesConnection, follower: Follower) {
  const ending = new AbortController();
  let isFollowing: boolean | undefined;
  const ended = follow();

  async function follow(): Promise<void> {
    while (!ending.signal.aborted) {
      await listen();
      await sleep(PAUSE_MS, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
    }
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
      application_name: "techfolio listener",
    });
    const lost = new AbortController();
    const signal = AbortSignal.any([ending.signal, lost.signal]);
    client.on("error", (error) => lost.abort(error));
    client.once("end", () => lost.abort(new Error("The connection has ended")));
    client.on("notification", follower.changed);
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      const overdue = setTimeout(() => lost.abort(new Error(NOTHING_ARRIVES)), ANSWER_TIMEOUT_MS);
      await Promise.all([once(client, "notification", { signal }), notify(CHANNEL)]).finally(() =>
        clearTimeout(overdue),
      );
      report(true);
      for (;;) {
        await sleep(HEARTBEAT_MS, undefined, { signal, ref: false });
        await client.query("select 1");
      }
    } catch (error) {
      if (!ending.signal.aborted) report(false, lost.signal.reason ?? error);
    } finally {
      // Through a pooler the connection behind outlives this one.
      await client.query("unlisten *").catch(() => undefined);
      await client.end().catch(() => undefined);
      lost.abort();
    }
  }

  function report(next: boolean, error?: unknown): void {
    if (next === isFollowing) return;
    isFollowing = next;
    follower.following(next);
    if (next) log?.info("changes.followed");
    else log?.warn({ reason: errorMessage(error) }, "changes.unfollowed");
  }

  return async () => {
    ending.abort();
    await ended;
  };
}
