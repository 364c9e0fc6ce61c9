type Fields = Record<string, unknown>;

/** Writes one JSON line per event. Never pass passwords, tokens or content. */
export interface Log {
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
}

/**
 * Takes where lines go (standard error unless told), returns a log.
 * JSON escapes control characters, so that no value can forge a second line.
 */
export function createLog(write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  const at = (level: string) => (event: string, fields?: Fields) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  return { info: at("info"), warn: at("warn"), error: at("error") };
}
