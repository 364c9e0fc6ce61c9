import { errorMessage } from "../../config/error-message.ts";
import { readEnvironment, readSettings, type Settings, SettingsError } from "../../config/settings.ts";
import { StartError } from "../../config/start-error.ts";
import { createLog, type Log } from "../../http/log.ts";
import { BackupError } from "./backup-error.ts";

/** What a program does with the words behind its name. */
export type Work = (
  words: string[],
  settings: Settings,
  log: Log,
  print: (line: string) => void,
) => Promise<"done" | "misused">;

/**
 * Takes a program's name, how it is used and what it does, runs it. Whatever goes wrong is one line; the exit code
 * is 1 then, and 2 when the command was not understood.
 */
export async function runProgram(name: string, usage: string, work: Work): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes("--help")) return void process.stdout.write(usage);
  // What PostgreSQL has to say while it is started for the time being matters only when it is more than information.
  const log = { ...createLog(), info: () => undefined };
  try {
    const settings = readSettings(readEnvironment());
    const outcome = await work(words, settings, log, (line) => void process.stdout.write(`${line}\n`));
    if (outcome === "misused") misused(usage);
  } catch (error) {
    if (isMisuse(error)) return misused(usage);
    const expected = [BackupError, SettingsError, StartError].some((kind) => error instanceof kind);
    const message = errorMessage(error).replace(/\s*\n\s*/g, " ");
    process.stderr.write(expected ? `${message}\n` : `The ${name} failed: ${message}\n`);
    process.exitCode = 1;
  }
}

function misused(usage: string): void {
  process.stderr.write(usage);
  process.exitCode = 2;
}

function isMisuse(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
