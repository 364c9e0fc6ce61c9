import { parseArgs } from "node:util";
import { errorMessage } from "../../config/error-message.ts";
import { UsageError } from "../command-error.ts";

/** A missing password is read from standard input. */
export type MemberRequest =
  | { command: "add"; email: string; password?: string; username?: string; fullName?: string }
  | { command: "list" }
  | { command: "remove"; email: string }
  | { command: "password"; email: string; password?: string }
  | { command: "invite"; email: string };

export const USAGE = `npm run member -- <command>

  add --email E [--password P] [--username U] [--full-name N]   add a member
  invite --email E                                              add a member who chooses a password by link
  list                                                          all members: e-mail, since, last sign-in
  password --email E [--password P]                             set a new password and end all sessions
  remove --email E                                              delete a member and everything they own

Without --password, one line is read from standard input.
`;

type OptionName = "email" | "password" | "username" | "full-name";

const OPTIONS: Record<MemberRequest["command"], OptionName[]> = {
  add: ["email", "password", "username", "full-name"],
  invite: ["email"],
  list: [],
  password: ["email", "password"],
  remove: ["email"],
};

/** Throws UsageError. */
export function readArguments(words: string[]): MemberRequest {
  const [command = "", ...rest] = words;
  if (command === "") throw misused("A command is missing");
  if (!isCommand(command)) throw misused(`There is no command "${command}"`);
  const values = parse(command, rest);
  if (command === "list") return { command };
  const { email, password, username } = values;
  const fullName = values["full-name"];
  if (email === undefined || email.trim() === "") throw misused(`"${command}" needs --email`);
  return {
    command,
    email: email.trim(),
    ...(password !== undefined && { password }),
    ...(username !== undefined && { username }),
    ...(fullName !== undefined && { fullName }),
  };
}

function isCommand(word: string): word is MemberRequest["command"] {
  return Object.hasOwn(OPTIONS, word);
}

function parse(command: MemberRequest["command"], words: string[]): Partial<Record<OptionName, string>> {
  const options = Object.fromEntries(OPTIONS[command].map((name) => [name, { type: "string" as const }]));
  try {
    return parseArgs({ args: words, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // Node goes on with advice about words that begin with a dash.
    const [reason = ""] = errorMessage(error).split(/\. |\n/);
    throw misused(`"${command}": ${reason.replace(/\.$/, "")}`);
  }
}

function misused(reason: string): UsageError {
  return new UsageError(`${reason}. See npm run member -- --help`);
}
