import { randomBytes } from "node:crypto";
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
  log?: Log | undefined;
  heartbeatMs?: number;
}

// The channel of supabase/migrations/20260103000000_changes.sql.
const CHANNEL = "techfolio_changes";
const CONNECT_TIMEOUT_MS = 2_500;
const ANSWER_TIMEOUT_MS = 3_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/** Reconnects when lost. A probe must come back first: behind a pooler in transaction mode none ever does. */
export function followChanges(
  { connectionString, log, heartbeatMs = 5_000 }: ChangesConnection,
  follower: Follower,
): () => Promise<void> {
  const ending = new AbortController();
  let isFollowing: boolean | undefined;
  const ended = follow();

  async function follow(): Promise<void> {
    let restMs = FIRST_PAUSE_MS;
    while (!ending.signal.aborted) {
      try {
        await listen(connectionString, heartbeatMs, ending.signal, {
          changed: follower.changed,
          following: () => {
            restMs = FIRST_PAUSE_MS;
            report(true);
          },
        });
      } catch (error) {
        if (ending.signal.aborted) return;
        report(false, error);
      }
      await pause(restMs, ending.signal).catch(() => undefined);
      restMs = Math.min(restMs * 2, LONGEST_PAUSE_MS);
    }
  }

  function report(next: boolean, error?: unknown): void {
    if (next === isFollowing) return;
    isFollowing = next;
    follower.following(next);
    if (next) log?.info("changes.followed");
    else log?.warn("changes.unfollowed", { reason: errorMessage(error) });
  }

  return async () => {
    ending.abort();
    await ended;
  };
}

async function listen(
  connectionString: string,
  heartbeatMs: number,
  ending: AbortSignal,
  follower: Follower,
): Promise<never> {
  const client = open(connectionString, "techfolio listener");
  const lost = new AbortController();
  const signal = AbortSignal.any([ending, lost.signal]);
  client.on("error", (error) => lost.abort(error));
  client.once("end", () => lost.abort(new Error("The connection has ended")));
  const probe = `techfolio_${randomBytes(8).toString("hex")}`;
  const echo = new Promise<void>((resolve) => {
    client.on("notification", (message) => (message.channel === probe ? resolve() : follower.changed()));
  });
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}; listen ${probe}`);
    await notify(connectionString, probe);
    await Promise.race([echo, timedOut(signal)]);
    follower.changed();
    follower.following(true);
    for (;;) {
      await pause(heartbeatMs, signal);
      await client.query("select 1");
    }
  } finally {
    // Through a pooler the connection behind outlives this one.
    await client.query("unlisten *").catch(() => undefined);
    await client.end().catch(() => undefined);
    lost.abort();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
}

function open(connectionString: string, name: string): pg.Client {
  return new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    application_name: name,
  });
}

async function notify(connectionString: string, probe: string): Promise<void> {
  const client = open(connectionString, "techfolio probe");
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(`notify ${probe}`);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function timedOut(signal: AbortSignal): Promise<never> {
  await pause(ANSWER_TIMEOUT_MS, signal);
  throw new Error("Notifications do not arrive: a pooler in transaction mode?");
}
