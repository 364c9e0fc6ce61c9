import { EventEmitter, once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createLog } from "../http/log.ts";
import type { OwnerConnection } from "./owner-connection.ts";
import { rebuildIndexesRegularly } from "./search-indexes.ts";

const HOUR_MS = 3_600_000;
afterEach(() => vi.useRealTimers());

/** A server with a rebuild that lasts until it is cancelled. */
function createServer() {
  const events = new EventEmitter();
  const cancelled = once(events, "cancelled");
  const statements: string[] = [];
  let connections = 0;
  const connect = async () => {
    connections += 1;
    return {
      async query(text: string, values?: unknown[]) {
        statements.push(text.trim().split("\n")[0] ?? "");
        if (text.includes("pg_cancel_backend")) events.emit("cancelled");
        if (text.includes("pg_backend_pid")) return { rows: [{ pid: 42 }] };
        if (text.includes("pg_relation_size"))
          return { rows: [{ name: "words", bytes: Number(values?.[0]) }] };
        if (text.startsWith("reindex")) {
          events.emit("rebuilding");
          await cancelled;
          throw new Error("canceling statement due to user request");
        }
        return { rows: [] };
      },
      async [Symbol.asyncDispose]() {
        connections -= 1;
      },
    } as unknown as OwnerConnection;
  };
  return { connect, events, statements, connections: () => connections };
}

test("a process compares the indexes with their table after an hour, and cancels a rebuild when it stops", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const server = createServer();
  const lines: string[] = [];
  const log = createLog((line) => void lines.push(line));
  const rebuilding = rebuildIndexesRegularly(server.connect, async () => true, log);
  vi.advanceTimersByTime(HOUR_MS - 1);
  expect(server.statements).toEqual([]);
  const started = once(server.events, "rebuilding");
  vi.advanceTimersByTime(1);
  await started;
  await rebuilding.stop();
  expect(server.statements).toContain("reindex index concurrently words");
  expect(server.statements.at(-1)).toBe("select pg_cancel_backend($1)");
  expect(server.connections()).toBe(0);
  expect(lines.join()).toContain("search.rebuilding_failed");
});

test("a process that stops before the first comparison opens no connection", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const server = createServer();
  const connect = vi.fn(server.connect);
  const log = createLog(() => undefined);
  await rebuildIndexesRegularly(connect, async () => true, log).stop();
  vi.advanceTimersByTime(2 * HOUR_MS);
  expect(connect).not.toHaveBeenCalled();
});

/** A database with these indexes, by size. `closed` emits an event when a connection is closed. */
function createDatabase(sizes: Record<string, number>) {
  const statements: string[] = [];
  const closed = new EventEmitter();
  const connect = async () =>
    ({
      async query(text: string) {
        statements.push(text);
        if (text.includes("pg_backend_pid")) return { rows: [{ pid: 42 }] };
        if (!text.includes("pg_relation_size")) return { rows: [] };
        return { rows: Object.entries(sizes).map(([name, bytes]) => ({ name, bytes })) };
      },
      [Symbol.asyncDispose]: async () => void closed.emit("closed"),
    }) as unknown as OwnerConnection;
  return { connect, statements, closed };
}

test("each hour, the indexes that fit on the disk are rebuilt and named in the log, and a stop afterwards cancels nothing", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { connect, statements, closed } = createDatabase({ words: 60_000_000, prefixes: 90_000_000 });
  const lines: string[] = [];
  const log = createLog((line) => void lines.push(line));
  const rebuilding = rebuildIndexesRegularly(connect, async (bytes) => bytes < 80_000_000, log);
  for (const _hour of [1, 2]) {
    const ended = once(closed, "closed");
    vi.advanceTimersByTime(HOUR_MS);
    await ended;
  }
  // The rebuild ends after its connection is closed.
  await setImmediate();
  await rebuilding.stop();
  const changes = statements.filter((text) => /^(reindex|drop|select private|select pg_cancel)/.test(text));
  const inOneHour = ["reindex index concurrently words", "select private.resample()"];
  expect(changes).toEqual([...inOneHour, ...inOneHour]);
  const line = { level: "info", event: "search.indexes_rebuilt", indexes: ["words"] };
  expect(lines.map((text) => JSON.parse(text))).toMatchObject([line, line]);
});

test("nothing is logged and no statistics are read again if no index is large", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { connect, statements, closed } = createDatabase({});
  const lines: string[] = [];
  const log = createLog((line) => void lines.push(line));
  const rebuilding = rebuildIndexesRegularly(connect, async () => true, log);
  const ended = once(closed, "closed");
  vi.advanceTimersByTime(HOUR_MS);
  await ended;
  await rebuilding.stop();
  expect(statements.join()).not.toMatch(/reindex|resample/);
  expect(lines).toEqual([]);
});
