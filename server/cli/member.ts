import { errorMessage } from "../config/error-message.ts";
import { readEnvironment, readSettings, SettingsError } from "../config/settings.ts";
import { StartError } from "../config/start-error.ts";
import { readArguments, usage } from "./member/arguments.ts";
import { runCommand } from "./member/commands.ts";
import { MemberError, UsageError } from "./member/member-error.ts";

/** `npm run member -- <command>`: makes, lists, invites and removes members of the running site (contract, 'Running it'). */
async function main(words: string[]): Promise<void> {
  const request = readArguments(words);
  if (request === "help") return void process.stdout.write(usage);
  const settings = readSettings(readEnvironment());
  await runCommand(request, settings, (line) => void process.stdout.write(`${line}\n`));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const expected = [UsageError, MemberError, SettingsError, StartError].some((kind) => error instanceof kind);
  const message = errorMessage(error).replace(/\s*\n\s*/g, " ");
  process.stderr.write(expected ? `${message}\n` : `The member command failed: ${message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
