import { randomBytes } from "node:crypto";
import { link, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { createTokens } from "../auth/access-token.ts";
import { prepareDataDir } from "./data-directory.ts";
import type { Settings } from "./settings.ts";
import { reason, StartError } from "./start-error.ts";

/** The secret that tokens are signed with, and the two API keys that are such tokens themselves. */
export interface Keys {
  /** Goes into every page: a JSON Web Token with the role `anon`. */
  anonKey: string;
  /** Stands above row-level security: role `service_role`. Never leaves the server. */
  serviceKey: string;
  jwtSecret: string;
}

/**
 * Takes the settings, returns the keys: those of the Supabase project; those that follow from AUTH_JWT_SECRET;
 * otherwise those in `$DATA_DIR/keys.json`, made the first time (contract, 'Running it'). Throws StartError when
 * the file cannot be read or written.
 */
export async function loadKeys(
  settings: Pick<Settings, "dataDir" | "authJwtSecret" | "supabase">,
): Promise<Keys> {
  const { supabase, authJwtSecret, dataDir } = settings;
  if (supabase !== undefined) {
    return { anonKey: supabase.publishableKey, serviceKey: supabase.secretKey ?? "", jwtSecret: "" };
  }
  if (authJwtSecret !== undefined) return signKeys(authJwtSecret);
  const file = path.join(dataDir, "keys.json");
  const known = await readKeys(file);
  if (known !== undefined) return known;
  await prepareDataDir(dataDir);
  return makeKeys(file);
}

/**
 * Takes a secret, returns it with its two keys. They carry no time, so that every process that shares the secret
 * has the same ones.
 */
export async function signKeys(jwtSecret: string): Promise<Keys> {
  const { sign } = createTokens(jwtSecret);
  const [anonKey, serviceKey] = await Promise.all([
    sign({ iss: "techfolio", role: "anon" }),
    sign({ iss: "techfolio", role: "service_role" }),
  ]);
  return { anonKey, serviceKey, jwtSecret };
}

async function readKeys(file: string): Promise<Keys | undefined> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new StartError(`The keys in ${file} cannot be read: ${reason(error)}.`);
  });
  if (text === undefined) return undefined;
  const { uid } = await stat(file);
  // The folder may belong to PostgreSQL's account; a file that it put there is not ours.
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw new StartError(`The keys in ${file} belong to another user (${uid}): they are not used.`);
  }
  const keys = parseKeys(text);
  if (keys === undefined) {
    throw new StartError(
      `${file} does not hold { "anonKey", "serviceKey", "jwtSecret" }: restore it or remove it.`,
    );
  }
  return keys;
}

function parseKeys(text: string): Keys | undefined {
  try {
    const { anonKey, serviceKey, jwtSecret } = JSON.parse(text) as Record<string, unknown>;
    return typeof anonKey === "string" && typeof serviceKey === "string" && typeof jwtSecret === "string"
      ? { anonKey, serviceKey, jwtSecret }
      : undefined;
  } catch {
    return undefined;
  }
}

async function makeKeys(file: string): Promise<Keys> {
  const keys = await signKeys(randomBytes(32).toString("base64url"));
  const draft = `${file}.${process.pid}`;
  try {
    await writeFile(draft, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600, flush: true });
    // A link appears whole and fails where there is one: of several processes that start at once, one wins.
    await link(draft, file);
    return keys;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") {
      const others = await readKeys(file);
      if (others !== undefined) return others;
    }
    throw new StartError(`The keys cannot be written to ${file}: ${reason(error)}.`);
  } finally {
    await rm(draft, { force: true });
  }
}
