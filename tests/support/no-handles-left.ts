import { setImmediate } from "node:timers/promises";
import { afterAll, expect } from "vitest";

// Handles that a file leaves open take memory and ports until the run ends. In production, each use might leak one.
const KINDS = [
  "TCPServerWrap",
  "TCPSocketWrap",
  "PipeServerWrap",
  "PipeWrap",
  "ProcessWrap",
  "FSEventWrap",
  "Timeout",
];
/** The system closes sockets some time after their owner has ended them. */
const MAX_WAIT_MS = 5_000;

function countHandles(): Map<string, number> {
  const counts = new Map(KINDS.map((kind) => [kind, 0]));
  for (const kind of process.getActiveResourcesInfo()) {
    const count = counts.get(kind);
    if (count !== undefined) counts.set(kind, count + 1);
  }
  return counts;
}

// Their first use opens a handle that stays open.
void [process.stdin, process.stdout, process.stderr];
const before = countHandles();

afterAll(async () => {
  const start = performance.now();
  const left = () => [...countHandles()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
  while (left().length > 0 && performance.now() - start < MAX_WAIT_MS) await setImmediate();
  expect(left(), "kinds and numbers of handles that are left").toEqual([]);
});
