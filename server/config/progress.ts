const REDRAW_MS = 1_000;
const SECOND_MS = 1_000;

export interface Progress extends Disposable {
  /** The time since the beginning, such as "2.4 s". */
  elapsed(): string;
  /** Replaces the line, if it was shown, with a result that stays. */
  finish(result: string): void;
}

/**
 * After the first second, shows the work's progress on standard error, if that is a terminal. Disposing
 * removes the line.
 */
export function showProgress(
  title: string,
  state: () => string,
  stream: Pick<NodeJS.WriteStream, "isTTY" | "write"> = process.stderr,
): Progress {
  const start = performance.now();
  const elapsed = () => `${((performance.now() - start) / SECOND_MS).toFixed(1)} s`;
  let isDrawn = false;
  const draw = () => {
    isDrawn = true;
    stream.write(`\r\x1b[K${title}… ${state()}, ${elapsed()}`);
  };
  const timer = stream.isTTY ? setInterval(draw, REDRAW_MS).unref() : undefined;
  return {
    elapsed,
    finish(result) {
      if (isDrawn) stream.write(`\r\x1b[K${result}\n`);
      isDrawn = false;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      if (isDrawn) stream.write("\r\x1b[K");
    },
  };
}

/** Formats a size for people, such as "12.3 MB". */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
