import { parseArgs } from "node:util";
import { errorMessage } from "../../config/error-message.ts";
import { UsageError } from "./member-error.ts";

/** What the command is asked to do. A missing password is read from standard input. */
export type MemberRequest =
  | { command: "add"; email: string; password?: string; username?: string; fullName?: string }
  | { command: "list" }
  | { command: "remove"; email: string }
  | { command: "password"; email: string; password?: string }
  | { command: "invite"; email: string };

export const usage = `npm run member -- <command>

  add --email E [--password P] [--username U] [--full-name N]   make a member
  invite --email E                                              make one who chooses the password by link
  list                                                          all members: e-mail, since, last sign-in
  password --email E [--password P]                             set a new password, end all sessions
  remove --email E                                              remove a member and all that is his

Without --password one line is read from standard input.
`;

type OptionName = "email" | "password" | "username" | "full-name";

const optionsOf: Record<MemberRequest["command"], OptionName[]> = {
  add: ["email", "password", "username", "full-name"],
  invite: ["email"],
  list: [],
  password: ["email", "password"],
  remove: ["email"],
};

/** Takes the words behind `npm run member --`, returns what they ask for. Throws UsageError. */
export function readArguments(words: string[]): MemberRequest | "help" {
  const [command = "", ...rest] = words;
  if (["", "help", "--help", "-h"].includes(command)) {
    if (command === "") throw misused("A command is missing");
    return "help";
  }
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
  return Object.hasOwn(optionsOf, word);
}

function parse(command: MemberRequest["command"], words: string[]): Partial<Record<OptionName, string>> {
  const options = Object.fromEntries(optionsOf[command].map((name) => [name, { type: "string" as const }]));
  try {
    return parseArgs({ args: words, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // Node goes on with advice about words that begin with a dash.
    const [reason = ""] = errorMessage(error).split(/\. |\n/);
    throw misused(`"${command}": ${reason.replace(/\.$/, "")}`);
  }
}

function misused(reason: string): UsageError {
  return new UsageError(`${reason}. What can be done tells: npm run member -- --help`);
}
