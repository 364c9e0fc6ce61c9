import { EventEmitter, once } from "node:events";
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
