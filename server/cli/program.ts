import { type ParseArgsConfig, parseArgs } from "node:util";
import { PostgrestError } from "@supabase/postgrest-js";
import { chooseBackend } from "../backends/choose.ts";
import type { Backend } from "../backends/types.ts";
import { type Command, commandLine } from "../config/command-line.ts";
import { errorMessage } from "../config/error-message.ts";
import { connectThroughProxy } from "../config/forward-proxy.ts";
import { OperatorError, UsageError } from "../config/operator-error.ts";
import { readEnvironment, readSettings, type Settings } from "../config/settings.ts";
import { createLog, type Log } from "../http/log.ts";
import { printableLine } from "./printable.ts";

export interface Program {
  settings: Settings;
  backend: Backend;
  log: Log;
  print(line: string): void;
}

export interface ProgramDefinition {
  name: Command;
  usage: string;
  /** Returns the exit code if it can be other than 0. */
  run(args: string[], program: Program): Promise<number | undefined> | Promise<void>;
}

/** The input and output of a program besides its arguments. Tests replace them. */
export interface Surroundings {
  /** Throws OperatorError. */
  readEnvironment: typeof readEnvironment;
  writeOutput(text: string): void;
  writeError(text: string): void;
  log: Log;
}

/** Runs one of the operator's programs, such as `npm run backup`, as this process. */
export async function runProgram(definition: ProgramDefinition): Promise<void> {
  // Exit quietly if the reading process closes the pipe early (`… | head`).
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? undefined : 1);
  });
  connectThroughProxy(process.env);
  process.exitCode = await execute(definition, process.argv.slice(2), {
    readEnvironment,
    writeOutput: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    log: createLog(),
  });
}

/**
 * Returns the exit code, which is 2 for a wrong command line, and 1 for other errors. Prints an error as one line.
 * Never throws.
 */
export async function execute(
  { name, usage, run }: ProgramDefinition,
  args: string[],
  { readEnvironment, writeOutput, writeError, log }: Surroundings,
): Promise<number> {
  if (args.includes("--help") || ["help", "-h"].includes(args[0] ?? "")) {
    writeOutput(usage);
    return 0;
  }
  const print = (line: string) => writeOutput(`${line}\n`);
  // Log only warnings and errors: PostgreSQL's startup messages would clutter the output.
  log.level = "warn";
  try {
    const settings = readSettings(readEnvironment());
    const code = await run(args, { settings, backend: chooseBackend(settings), log, print });
    return code ?? 0;
  } catch (error) {
    writeError(`${errorLine(name, error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Returns an error as one line. Leaves out PostgreSQL's own messages, which don't say what the operator can do. */
export function errorLine(name: Command, error: unknown): string {
  if (error instanceof PostgrestError) {
    const advice = "check that the site and this program are the same version of Techfolio";
    return `${commandLine(name)} failed: the site rejected a request (${error.code}): ${advice}`;
  }
  // The message may contain text of members or files.
  const message = printableLine(errorMessage(error).replace(/\s*\n\s*/g, " "));
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
