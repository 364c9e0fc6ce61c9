import type { ParseArgsConfig } from "node:util";
import { PUBLIC_PATH, parsePicturePath } from "../../common/pictures/picture-path.ts";
import { type AdminClient, createAdminClient } from "../admin/admin-client.ts";
import type { AdminContext } from "../admin/admin-context.ts";
import { readItemReference } from "../admin/content-actions.ts";
import { normalizeEmail } from "../auth/email-address.ts";
import { UsageError } from "../config/operator-error.ts";
import { commandContext } from "./command-context.ts";
import { type Program, parseArguments } from "./program.ts";

export const text = { type: "string" } as const;
export const flag = { type: "boolean" } as const;

export interface Invocation extends Program {
  site: AdminClient;
  /** What actions need. */
  context: AdminContext;
  /** Where lists of new members are read from. */
  input: NodeJS.ReadableStream;
  texts: Partial<Record<string, string>>;
  json: boolean;
  /** What the command is about: the ID of an item, a picture's path, or a profile's ID, username or email address. */
  id: string;
  /** Normalized in the same way as email addresses on the site. Empty if the command allows that. */
  email: string;
}

interface Command {
  options?: NonNullable<ParseArgsConfig["options"]>;
  /** What the command's only argument without an option names. */
  needs?: "item" | "item or picture" | "profile" | "link";
  /** Whether the command can run without `--email`. */
  allowsNoEmail?: boolean;
  run(invocation: Invocation): Promise<void>;
}

type Values = { json?: boolean } & Partial<Record<string, string>>;

export type Commands = Record<string, Command>;

/** Every command that has the option `--email` requires it. Throws UsageError. */
export function parseCommand(commands: Commands, [name = "", ...args]: string[]) {
  if (name === "") throw new UsageError("A command is missing");
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`There is no command "${name}"`);
  const { options = {}, needs, allowsNoEmail = false, run } = command;
  const allowPositionals = needs !== undefined;
  const { values, positionals } = parseArguments(name, { args, options, allowPositionals });
  const { json = false, email: typed, ...texts } = values as Values;
  const email = normalizeEmail(typed ?? "") ?? (typed ?? "").trim().toLowerCase();
  const id = needs === undefined ? "" : readId(name, needs, positionals);
  const isMissing = options["email"] && !email;
  if (isMissing && !(allowsNoEmail && typed === undefined)) throw new UsageError(`"${name}" needs --email`);
  const empty = Object.keys(texts).find((option) => !texts[option]?.trim());
  if (empty !== undefined) throw new UsageError(`"${name}": --${empty} is empty`);
  return { run, json, id, email, texts };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Throws UsageError. */
function readId(
  name: string,
  needs: NonNullable<Command["needs"]>,
  [typed = "", ...others]: string[],
): string {
  // The ID of a picture can also be its whole address, as copied from a page.
  const start = typed.indexOf(PUBLIC_PATH);
  const id = start < 0 ? typed : typed.slice(start + PUBLIC_PATH.length);
  const isPicture = needs === "item or picture" && parsePicturePath(id) !== undefined;
  const isValid =
    needs === "profile"
      ? id.trim() !== ""
      : needs === "link"
        ? UUID.test(id)
        : readItemReference(id) !== null || isPicture;
  if (!isValid || others.length > 0)
    throw new UsageError(`"${name}" needs one ${needs === "profile" ? "profile" : "ID"}`);
  return needs === "profile" ? id.trim() : id.toLowerCase();
}

/** Throws UsageError. */
export function readLimit(limit: string | undefined): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit);
  throw new UsageError(`"list": --limit must be a whole number from 1, not "${limit}"`);
}

export async function runCommand(
  commands: Commands,
  args: string[],
  program: Program & Partial<Pick<Invocation, "input">>,
): Promise<void> {
  const { run, ...parsed } = parseCommand(commands, args);
  const site = createAdminClient(await program.backend.adminAccess());
  const context = commandContext(site, program);
  await run({ input: process.stdin, ...program, ...parsed, site, context });
}
