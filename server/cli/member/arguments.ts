import { UsageError } from "../command-error.ts";
import { parseCommand } from "../parse-command.ts";

/** A missing password is read from standard input. */
export type MemberRequest =
  | { command: "add"; email: string; password?: string; username?: string; fullName?: string }
  | { command: "list"; json: boolean }
  | { command: "remove"; email: string }
  | { command: "invite"; email: string }
  | { command: "unsuspend"; email: string }
  | { command: "password"; email: string; password?: string }
  | { command: "suspend"; email: string; hours: number | undefined };

export const USAGE = `npm run member -- <command>

  add --email E [--password P] [--username U] [--full-name N]   add a member
  invite --email E                                              add a member who chooses a password by link
  list [--json]                                                 e-mail, name, articles, links, samples,
                                                                last sign-in and state of all members
  password --email E [--password P]                             set a new password and end all sessions
  suspend --email E [--for 7d]                                  end all sessions and refuse sign-in;
                                                                --for in m, h, d or w, otherwise until unsuspend
  unsuspend --email E                                           allow sign-in again
  remove --email E                                              delete a member and everything they own

Without --password, one line is read from standard input. Each change is told as one line of JSON on standard error.
`;

const FORMS = {
  add: { options: { email: "string", password: "string", username: "string", "full-name": "string" } },
  invite: { options: { email: "string" } },
  list: { options: { json: "boolean" } },
  password: { options: { email: "string", password: "string" } },
  suspend: { options: { email: "string", for: "string" } },
  unsuspend: { options: { email: "string" } },
  remove: { options: { email: "string" } },
} as const;

export function readArguments(words: string[]): MemberRequest {
  const { command, values } = parseCommand("member", FORMS, words);
  if (command === "list") return { command, json: values["json"] === true };
  const text = (name: string) => values[name] as string | undefined;
  const email = text("email")?.trim();
  if (!email) throw misused(`"${command}" needs --email`);
  if (command === "suspend") return { command, email, hours: readHours(text("for")) };
  const [password, username, fullName] = [text("password"), text("username"), text("full-name")];
  if (password === "") throw misused(`"${command}": --password is empty`);
  return {
    command,
    email,
    ...(password !== undefined && { password }),
    ...(username !== undefined && { username }),
    ...(fullName !== undefined && { fullName }),
  };
}

const UNIT_HOURS: Record<string, number> = { m: 1 / 60, h: 1, d: 24, w: 7 * 24 };

function readHours(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ""] = /^([1-9]\d{0,4})([mhdw])$/.exec(text) ?? [];
  if (count === undefined)
    throw misused(`"suspend": --for is a number with m, h, d or w, such as 7d, not "${text}"`);
  return Number(count) * (UNIT_HOURS[unit] ?? 1);
}

function misused(reason: string): UsageError {
  return new UsageError(`${reason}. See npm run member -- --help`);
}
