import { parseArgs } from "node:util";
import { errorMessage } from "../config/error-message.ts";
import { UsageError } from "./command-error.ts";

interface CommandForm {
  options: Record<string, "string" | "boolean">;
  /** Whether one word without a dash follows the command. */
  hasOperand?: boolean;
}

export interface ParsedCommand<Name> {
  command: Name;
  values: Partial<Record<string, string | boolean>>;
  operand: string | undefined;
}

export function parseCommand<Name extends string>(
  program: string,
  forms: Record<Name, CommandForm>,
  [command = "", ...rest]: string[],
): ParsedCommand<Name> {
  const misused = (reason: string) => new UsageError(`${reason}. See npm run ${program} -- --help`);
  if (command === "") throw misused("A command is missing");
  if (!isKey(forms, command)) throw misused(`There is no command "${command}"`);
  const { options, hasOperand = false } = forms[command];
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: Object.fromEntries(Object.entries(options).map(([name, type]) => [name, { type }])),
      allowPositionals: hasOperand,
    });
    if (hasOperand && positionals.length !== 1) throw new Error("Exactly one ID is expected");
    return { command, values: values as ParsedCommand<Name>["values"], operand: positionals[0] };
  } catch (error) {
    // Node goes on with advice about words that begin with a dash.
    const [reason = ""] = errorMessage(error).split(/\. |\n/);
    throw misused(`"${command}": ${reason.replace(/\.$/, "")}`);
  }
}

function isKey<Key extends string>(record: Record<Key, unknown>, key: string): key is Key {
  return Object.hasOwn(record, key);
}
