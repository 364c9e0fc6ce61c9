import { destination, type Logger, pino, stdTimeFunctions } from "pino";
import type { Settings } from "../config/settings.ts";
import { readable } from "./readable-log.ts";

/** Never log passwords, tokens or members' content. */
export type Log = Logger;

/** Batch writes: one system call per line is too slow under load. */
const BUFFER_BYTES = 4_096;
const FLUSH_MS = 50;
/** While the log cannot be written, for example on a full disk, the server keeps at most this many bytes of lines. */
const MAX_BUFFER_BYTES = 1_048_576;

function standardError() {
  const stream = destination({
    dest: 2,
    sync: true,
    minLength: BUFFER_BYTES,
    maxLength: MAX_BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
  });
  // Writing fails once the process that reads the log has exited, or if the log is on a full disk. An unhandled
  // `error` event would end the server.
  stream.on("error", () => undefined);
  // `flushSync` would repeat a failing write forever, so the server could not end. `end` tries once.
  process.on("exit", () => stream.end());
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
