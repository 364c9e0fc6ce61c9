type Fields = Record<string, unknown>;

/** Writes one JSON line per event. Never pass passwords, tokens or content. */
export interface Log {
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  /**
   * Takes an event and the fields that all its lines have in common, returns what writes one of them: it takes the
   * other fields as they stand between the braces of JSON. For what is told thousands of times a second.
   */
  repeated(event: string, common: Fields): (others: string) => void;
}

/** Under load the writing costs more than the line: so many milliseconds of lines are written at once. */
const GATHER_MS = 10;

/** Returns what writes lines to standard error, soon; at the end of the process nothing is left behind. */
function writeGathered(): (line: string) => void {
  let waiting = "";
  const flush = () => {
    const lines = waiting;
    waiting = "";
    if (lines) process.stderr.write(lines);
  };
  process.on("exit", flush);
  return (line) => {
    if (!waiting) setTimeout(flush, GATHER_MS).unref();
    waiting += line;
  };
}

/** Returns what tells the time in ISO 8601: under load hundreds of lines share a millisecond, and its text. */
function createClock(): () => string {
  let told = 0;
  let text = "";
  return () => {
    const now = Date.now();
    if (now !== told) {
      told = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}

/**
 * Takes where lines go (standard error unless told), returns a log.
 * JSON escapes control characters, so that no value can forge a second line.
 */
export function createLog(write: (line: string) => void = writeGathered()): Log {
  const time = createClock();
  const head = (level: string) => `","level":"${level}","event":`;
  const at = (level: string) => {
    const rest = head(level);
    return (event: string, fields?: Fields) => {
      // Not as one object: putting it together costs as much as its text.
      const told = fields === undefined ? "}" : `,${JSON.stringify(fields).slice(1)}`;
      write(`{"time":"${time()}${rest}${JSON.stringify(event)}${told}\n`);
    };
  };
  return {
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    repeated(event, common) {
      const same = `${head("info")}${JSON.stringify(event)},${JSON.stringify(common).slice(1, -1)},`;
      return (others) => write(`{"time":"${time()}${same}${others}}\n`);
    },
  };
}
