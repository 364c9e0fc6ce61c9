import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../http/log.ts";

/** Who wants to know of writes, whoever makes them: this process, another one, or an operator. */
export interface Follower {
  /** A write to one of the five tables was committed, or may have been while nobody could say so. */
  changed(): void;
  /** Takes whether changes are heard from now on. At first they are not. */
  following(isFollowing: boolean): void;
}

/** Where to listen, and what may be changed for a test. */
export interface ChangesConnection {
  connectionString: string;
  log?: Log | undefined;
  /** After how many milliseconds the connection has to show again that it lives. */
  beat?: number;
}

// The channel of supabase/migrations/20260103000000_changes.sql.
const channel = "techfolio_changes";
const connectTimeout = 2_500;
const patience = 3_000;
const firstPause = 250;
const longestPause = 30_000;

/**
 * Takes where to listen and who follows, tells him of changes on a connection of its own that is opened again
 * whenever it is lost. A connection counts only after a notification from another one has arrived on it: behind a
 * pooler in transaction mode none ever does. Returns what ends it.
 */
export function followChanges(
  { connectionString, log, beat = 5_000 }: ChangesConnection,
  follower: Follower,
): () => Promise<void> {
  const ending = new AbortController();
  let isFollowing = false;
  let isFirst = true;
  const ended = follow();

  async function follow(): Promise<void> {
    let pause = firstPause;
    while (!ending.signal.aborted) {
      try {
        await listen(connectionString, beat, ending.signal, {
          changed: follower.changed,
          following: () => {
            pause = firstPause;
            report(true);
          },
        });
      } catch (error) {
        if (ending.signal.aborted) return;
        report(false, error);
      }
      await sleep(pause, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      pause = Math.min(pause * 2, longestPause);
    }
  }

  function report(next: boolean, error?: unknown): void {
    if (next === isFollowing && !isFirst) return;
    isFollowing = next;
    isFirst = false;
    follower.following(next);
    if (next) log?.info("database changes are followed");
    else
      log?.warn("database changes are not followed", { reason: error instanceof Error ? error.message : "" });
  }

  return async () => {
    ending.abort();
    await ended;
  };
}

/** Follows on one connection, and throws once it is lost. */
async function listen(
  connectionString: string,
  beat: number,
  ending: AbortSignal,
  follower: Follower,
): Promise<never> {
  const client = open(connectionString, "techfolio listener");
  // Of this connection alone: nothing that waits on it stays with the signal, which lives as long as the process.
  const over = new AbortController();
  const { signal } = over;
  const lost = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  lost.catch(() => undefined);
  const end = () => over.abort(new Error("No longer wanted"));
  ending.addEventListener("abort", end);
  client.on("error", (error) => over.abort(error));
  client.once("end", () => over.abort(new Error("The connection has ended")));
  // A channel for this connection alone, on which it hears that it hears.
  const probe = `techfolio_${randomBytes(8).toString("hex")}`;
  const echo = new Promise<void>((resolve) => {
    client.on("notification", (message) => (message.channel === probe ? resolve() : follower.changed()));
  });
  const orLost = <T>(work: Promise<T>) => Promise.race([work, lost]);
  try {
    await orLost(client.connect());
    await orLost(client.query(`listen ${channel}; listen ${probe}`));
    await orLost(notify(connectionString, probe));
    await orLost(Promise.race([echo, deaf(signal)]));
    // What was written before this moment was not heard.
    follower.changed();
    follower.following(true);
    for (;;) {
      await orLost(sleep(beat, undefined, { signal, ref: false }));
      await orLost(client.query("select 1"));
    }
  } finally {
    ending.removeEventListener("abort", end);
    over.abort();
    // Through a pooler the connection behind outlives this one.
    await client.query("unlisten *").catch(() => undefined);
    await client.end().catch(() => undefined);
  }
}

function open(connectionString: string, name: string): pg.Client {
  return new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: patience,
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

async function deaf(signal: AbortSignal): Promise<never> {
  await sleep(patience, undefined, { signal, ref: false });
  throw new Error("Notifications do not arrive: a pooler in transaction mode?");
}
