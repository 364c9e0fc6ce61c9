import { expect, onTestFinished, test, vi } from "vitest";
import { showProgress } from "./progress.ts";

function startIn(isTTY: boolean) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) > 0 };
  let megabytes = 0;
  const progress = showProgress("Making the backup", () => `${megabytes} MB`, stream);
  return { written, progress, advance: () => vi.advanceTimersByTime(1_000), add: () => megabytes++ };
}

test("a terminal shows what is done from the first second on, and the line is removed at the end", () => {
  const { written, progress, advance, add } = startIn(true);
  expect(written).toEqual([]);
  for (let second = 1; second <= 2; second++) {
    add();
    advance();
  }
  expect(written.map((text) => text.replace("\r\x1b[K", ""))).toEqual([
    "Making the backup… 1 MB, 1.0 s",
    "Making the backup… 2 MB, 2.0 s",
  ]);
  progress[Symbol.dispose]();
  expect(written.at(-1)).toBe("\r\x1b[K");
  advance();
  expect(written).toHaveLength(3);
});

test("a result replaces a line that was shown, and work of less than a second shows nothing", () => {
  const long = startIn(true);
  long.advance();
  long.progress.finish("Done.");
  long.progress[Symbol.dispose]();
  expect(long.written.at(-1)).toBe("\r\x1b[KDone.\n");

  const short = startIn(true);
  short.progress.finish("Done.");
  short.progress[Symbol.dispose]();
  expect(short.written).toEqual([]);
});

test("other outputs than terminals show nothing", () => {
  const { written, progress, advance } = startIn(false);
  advance();
  progress.finish("Done.");
  progress[Symbol.dispose]();
  expect(written).toEqual([]);
});
