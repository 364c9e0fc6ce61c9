import { destination, type Logger, pino, stdTimeFunctions } from "pino";
import type { Settings } from "../config/settings.ts";
import { readable } from "./readable-log.ts";

/** Never log passwords, tokens or members' content. */
export type Log = Logger;

/** Batch writes: one system call per line is too slow under load. */
const BUFFER_BYTES = 4_096;
const FLUSH_MS = 50;

function standardError() {
  const stream = destination({ dest: 2, sync: true, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS });
  // Writing fails with EPIPE once the process that reads the log has exited. An unhandled `error` event
  // would end the server.
  stream.on("error", () => undefined);
  process.on("exit", () => stream.flushSync());
  return stream;
}

/** The format that LOG_FORMAT chooses. By default, terminals get text, and other programs get JSON. */
export function createSiteLog({ logFormat }: Pick<Settings, "logFormat">): Log {
  const isTerminal = process.stdout.isTTY && process.stderr.isTTY;
  const format = logFormat ?? (isTerminal ? "text" : "json");
  return format === "json" ? createLog() : createLog((line) => void process.stderr.write(readable(line)));
}

/** Without `write`, the log is JSON on standard error. */
export function createLog(write?: (line: string) => void): Log {
  return pino(
    {
      base: null,
      messageKey: "event",
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    write ? { write } : standardError(),
  );
}
