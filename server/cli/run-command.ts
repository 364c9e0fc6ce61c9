import type { ParseArgsConfig } from "node:util";
import { isUuid } from "../../common/data/addresses.ts";
import { PUBLIC_PATH, parsePicturePath } from "../../common/pictures/picture-path.ts";
import { normalizeEmail } from "../auth/email.ts";
import { UsageError } from "../config/operator-error.ts";
import { type AdminClient, createAdminClient } from "./admin-client.ts";
import { type Program, parseArguments } from "./program.ts";

export const text = { type: "string" } as const;
export const flag = { type: "boolean" } as const;

export interface Invocation extends Program {
  site: AdminClient;
  texts: Partial<Record<string, string>>;
  json: boolean;
  id: string;
  /** Normalized in the same way as email addresses on the site. */
  email: string;
}

interface Command {
  options?: NonNullable<ParseArgsConfig["options"]>;
  hasId?: boolean;
  /** Whether the ID can also be a picture's path in the bucket. */
  isPictureId?: boolean;
  run(invocation: Invocation): Promise<void>;
}

type Values = { json?: boolean } & Partial<Record<string, string>>;

export type Commands = Record<string, Command>;

/** Every command that has the option `--email` requires it. Throws UsageError. */
export function parseCommand(commands: Commands, [name = "", ...args]: string[]) {
  if (name === "") throw new UsageError("A command is missing");
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`There is no command "${name}"`);
  const { options = {}, hasId = false, isPictureId = false, run } = command;
  const { values, positionals } = parseArguments(name, { args, options, allowPositionals: hasId });
  const { json = false, email: typed = "", ...texts } = values as Values;
  const [typedId = ""] = positionals;
  // The ID of a picture can also be its whole address, as copied from a page.
  const id = typedId.slice(
    typedId.indexOf(PUBLIC_PATH) < 0 ? 0 : typedId.indexOf(PUBLIC_PATH) + PUBLIC_PATH.length,
  );
  const isId = isUuid(id) || (isPictureId && parsePicturePath(id) !== undefined);
  const email = normalizeEmail(typed) ?? typed.trim().toLowerCase();
  if (hasId && (positionals.length !== 1 || !isId)) throw new UsageError(`"${name}" needs one ID`);
  if (options["email"] && !email) throw new UsageError(`"${name}" needs --email`);
  const empty = Object.keys(texts).find((option) => !texts[option]?.trim());
  if (empty !== undefined) throw new UsageError(`"${name}": --${empty} is empty`);
  return { run, json, id: id.toLowerCase(), email, texts };
}

export async function runCommand(commands: Commands, args: string[], program: Program): Promise<void> {
  const { run, ...parsed } = parseCommand(commands, args);
  const site = createAdminClient(await program.backend.administration());
  await run({ ...program, ...parsed, site });
}
