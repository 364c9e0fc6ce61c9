type Fields = Record<string, unknown>;

/** Writes one JSON line per event. Never pass passwords, tokens or content. */
export interface Log {
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
}

/**
 * Returns what writes lines to standard error: those of one turn of the event loop at once, because under load the
 * writing costs more than the line. At the end of the process nothing is left behind.
 */
function writeByTurns(): (line: string) => void {
  let waiting = "";
  const flush = () => {
    const lines = waiting;
    waiting = "";
    if (lines) process.stderr.write(lines);
  };
  process.on("exit", flush);
  return (line) => {
    if (!waiting) setImmediate(flush);
    waiting += line;
  };
}

/**
 * Takes where lines go (standard error unless told), returns a log.
 * JSON escapes control characters, so that no value can forge a second line.
 */
export function createLog(write: (line: string) => void = writeByTurns()): Log {
  const at = (level: string) => (event: string, fields?: Fields) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  return { info: at("info"), warn: at("warn"), error: at("error") };
}
