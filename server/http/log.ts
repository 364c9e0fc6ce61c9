import { destination, type Logger, pino } from "pino";

/** Writes one JSON line per event. Never pass passwords, tokens or content. */
export type Log = Logger;

/** Batch writes: one system call per line is too slow under load. */
const GATHER_BYTES = 4_096;
const GATHER_MS = 50;

function standardError() {
  const stream = destination({ dest: 2, sync: true, minLength: GATHER_BYTES, periodicFlush: GATHER_MS });
  // Ignore EPIPE: the log's reader may exit first.
  stream.on("error", () => undefined);
  process.on("exit", () => stream.flushSync());
  return stream;
}

export function createLog(write?: (line: string) => void): Log {
  return pino(
    {
      base: null,
      messageKey: "event",
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    write ? { write } : standardError(),
  );
}
