import { type ParseArgsConfig, parseArgs } from "node:util";
import { PostgrestError } from "@supabase/postgrest-js";
import { chooseBackend } from "../backends/choose.ts";
import type { Backend } from "../backends/types.ts";
import { type Command, commandLine } from "../config/command-line.ts";
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

/**
 * Runs one of the operator's programs, such as `npm run backup`. Prints an error as one line. The exit code is 2 for a
 * wrong command line, and 1 for other errors.
 */
export async function runProgram(
  name: Command,
  usage: string,
  work: (args: string[], program: Program) => Promise<void>,
): Promise<void> {
  // Exit quietly if the reading process closes the pipe early (`… | head`).
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? undefined : 1);
  });
  const args = process.argv.slice(2);
  if (args.includes("--help") || ["help", "-h"].includes(args[0] ?? ""))
    return void process.stdout.write(usage);
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  // Log only warnings and errors: PostgreSQL's startup messages would clutter the output.
  const log = createLog();
  log.level = "warn";
  try {
    const settings = readSettings(readEnvironment());
    await work(args, { settings, backend: chooseBackend(settings), log, print });
  } catch (error) {
    process.stderr.write(`${errorLine(name, error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** Returns an error as one line. Leaves out PostgreSQL's own messages, which don't say what the operator can do. */
export function errorLine(name: Command, error: unknown): string {
  if (error instanceof PostgrestError) {
    const advice = "check that the site and this program are the same version of Techfolio";
    return `${commandLine(name)} failed: the site rejected a request (${error.code}): ${advice}`;
  }
  const message = errorMessage(error).replace(/\s*\n\s*/g, " ");
  if (error instanceof UsageError) return `${message}. See ${commandLine(name, "--help")}`;
  return error instanceof OperatorError ? message : `${commandLine(name)} failed: ${message}`;
}

/** Throws UsageError if the arguments don't match the config. */
export function parseArguments<T extends ParseArgsConfig>(name: string, config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    // Omit the advice that Node appends about arguments that start with a dash.
    const [reason = ""] = errorMessage(error).split(/\. |\n/);
    throw new UsageError(`"${name}": ${reason.replace(/\.$/, "")}`);
  }
}
