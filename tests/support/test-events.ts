import { writeSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./node.ts";

/** Reporters send these events to scripts/test.mjs while tests run. File names are relative to the repository. */
export type TestEvent =
  | { type: "progress"; done: number; total: number }
  | { type: "passed" }
  | { type: "failed"; file: string; line?: number | undefined; name: string; reason: string }
  | { type: "duration"; file: string; ms: number };

/** The pipe that scripts/test.mjs opens, because tests also write to standard output. */
const PIPE = 3;

export function send(event: TestEvent): void {
  writeSync(PIPE, `${JSON.stringify(event)}\n`);
}

interface ReportedError {
  stack?: string | undefined;
  message?: string | undefined;
  cause?: unknown;
}

/** Describes an error with its cause, or returns undefined if the error has neither stack nor message. */
export function describeError({ stack, message, cause }: ReportedError = {}): string | undefined {
  const text = stack ?? message;
  if (typeof cause !== "object" || cause === null) return text;
  const reason = describeError(cause);
  return reason === undefined ? text : `${text}\nCause: ${reason}`;
}

export function relativeFile(file: string): string {
  return path.relative(ROOT, file);
}
