import { type ParseArgsConfig, parseArgs } from "node:util";
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

/** Every failure is one line; the exit code is then 1, and 2 for a command not understood. */
export async function runProgram(
  name: string,
  usage: string,
  work: (words: string[], program: Program) => Promise<void>,
): Promise<void> {
  // A reader may go away early (`… | head`), which would end the program in a stack trace.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? undefined : 1);
  });
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
    process.stderr.write(`${complaint(name, error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function complaint(name: string, error: unknown): string {
  const message = errorMessage(error).replace(/\s*\n\s*/g, " ");
  if (error instanceof UsageError) return `${message}. See npm run ${name} -- --help`;
  return error instanceof OperatorError ? message : `npm run ${name} failed: ${message}`;
}

/** Throws UsageError. */
export function parseWords<T extends ParseArgsConfig>(name: string, config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node goes on with advice about words that begin with a dash.
    const [reason = ""] = errorMessage(error).split(/\. |\n/);
    throw new UsageError(`"${name}": ${reason.replace(/\.$/, "")}`);
  }
}
