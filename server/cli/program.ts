import { chooseBackend } from "../backends/choose.ts";
import type { Backend } from "../backends/types.ts";
import { errorMessage } from "../config/error-message.ts";
import { OperatorError, UsageError } from "../config/operator-error.ts";
import { readEnvironment, readSettings, type Settings } from "../config/settings.ts";
import { createLog, type Log } from "../http/log.ts";

export interface Program {
  settings: Settings;
  backend: Backend;
  log: Log;
  print(line: string): void;
}

/** Lets a reader go away early (`… | head`), which would end the program in a stack trace. */
export function allowClosedOutput(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? undefined : 1);
  });
}

/** Every failure is one line; the exit code is then 1, and 2 for a command not understood. */
export async function runProgram(
  name: string,
  usage: string,
  work: (words: string[], program: Program) => Promise<void>,
): Promise<void> {
  allowClosedOutput();
  const words = process.argv.slice(2);
  if (words.includes("--help") || ["help", "-h"].includes(words[0] ?? ""))
    return void process.stdout.write(usage);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  // What PostgreSQL says while it is started for the command matters only from a warning on.
  const log = createLog();
  log.level = "warn";
  try {
    const settings = readSettings(readEnvironment());
    await work(words, { settings, backend: chooseBackend(settings), log, print });
  } catch (error) {
    process.stderr.write(`${complaint(name, usage, error)}\n`);
    process.exitCode = isMisuse(error) ? 2 : 1;
  }
}

function complaint(name: string, usage: string, error: unknown): string {
  const message = errorMessage(error).replace(/\s*\n\s*/g, " ");
  const [script] = name.split(" ");
  if (error instanceof UsageError && message !== "") return `${message}. See npm run ${script} -- --help`;
  if (isMisuse(error)) return usage.trimEnd();
  return error instanceof OperatorError ? message : `The ${name} failed: ${message}`;
}

function isMisuse(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
