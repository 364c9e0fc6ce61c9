import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseEnv } from "node:util";
import * as v from "valibot";
import { systemErrorMessage } from "./error-message.ts";
import { OperatorError } from "./operator-error.ts";
import { settingsSchema } from "./settings-schema.ts";

export type Settings = v.InferOutput<typeof settingsSchema>;

type Environment = Record<string, string | undefined>;

/** Returns the environment variables, with defaults from `.env` in the working directory. Throws OperatorError. */
export function readEnvironment(): Environment {
  return { ...readSettingsFile(), ...process.env };
}

/** Returns the variables in `.env`. Throws OperatorError. */
export function readSettingsFile(): Environment {
  const file = path.resolve(".env");
  try {
    const written = existsSync(file) ? readFileSync(file, "utf8") : "";
    // Remove a byte-order mark, which would become part of the first variable's name.
    return parseEnv(written.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new OperatorError(`The settings in ${file} cannot be read: ${systemErrorMessage(error)}.`);
  }
}

/** Converts environment variables to settings. Throws an OperatorError that names the first invalid variable. */
export function readSettings(environment: Environment): Settings {
  // An empty variable counts as unset: compose.yaml sets unused ones to nothing, and `.env` may contain `SMTP_HOST=`.
  const assigned = Object.entries(environment).filter(([, value]) => value?.trim());
  const variables = Object.fromEntries(assigned.map(([name, value]) => [name, value?.trim()]));
  const { success, output, issues } = v.safeParse(settingsSchema, variables, { abortEarly: true });
  if (success) return output;
  const [{ path: at, message }] = issues;
  throw new OperatorError(at === undefined ? message : `${String(at[0].key)} ${message}`);
}
