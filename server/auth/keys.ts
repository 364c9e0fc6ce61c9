import { randomBytes } from "node:crypto";
import { link, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import * as v from "valibot";
import { createTokens } from "../api/access-token.ts";
import { prepareDataDir } from "../config/data-directory.ts";
import { systemErrorMessage } from "../config/error-message.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { Settings } from "../config/settings.ts";

const keysSchema = v.object({
  /** A JWT with the role `anon`. Not a secret: the site's pages contain it. */
  anonKey: v.string(),
  /** A JWT with the role `service_role`, which bypasses row-level security. Must never be sent to a browser. */
  serviceKey: v.string(),
  jwtSecret: v.string(),
});

export type Keys = v.InferOutput<typeof keysSchema>;
type KeySettings = Pick<Settings, "dataDir" | "authJwtSecret">;

const fileIn = (dataDir: string) => path.join(dataDir, "keys.json");

/** Returns undefined if no keys have been created yet. Throws OperatorError. */
export async function readKeys({ dataDir, authJwtSecret }: KeySettings): Promise<Keys | undefined> {
  return authJwtSecret === undefined ? readFrom(fileIn(dataDir)) : signKeys(authJwtSecret);
}

/** Creates the keys if there are none yet. Throws OperatorError. */
export async function readOrCreateKeys(settings: KeySettings): Promise<Keys> {
  const stored = await readKeys(settings);
  if (stored !== undefined) return stored;
  await prepareDataDir(settings.dataDir);
  return createKeys(fileIn(settings.dataDir));
}

/** Throws OperatorError if other users of the machine can read the keys. */
export async function checkKeysMode({ dataDir, authJwtSecret }: KeySettings): Promise<void> {
  if (authJwtSecret !== undefined) return;
  const file = fileIn(dataDir);
  const mode = (await stat(file).catch(() => undefined))?.mode ?? 0;
  if ((mode & 0o077) === 0) return;
  throw new OperatorError(`Other users can read the keys in ${file}: run chmod 600 ${file}.`);
}

/** The keys contain no timestamp, so processes that share the secret derive the same keys. */
export async function signKeys(jwtSecret: string): Promise<Keys> {
  const { sign } = createTokens(jwtSecret);
  const [anonKey, serviceKey] = await Promise.all([
    sign({ iss: "techfolio", role: "anon" }),
    sign({ iss: "techfolio", role: "service_role" }),
  ]);
  return { anonKey, serviceKey, jwtSecret };
}

async function readFrom(file: string): Promise<Keys | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new OperatorError(`The keys in ${file} cannot be read: ${systemErrorMessage(error)}.`);
  });
  if (text === undefined) return undefined;
  const { uid } = await stat(file);
  if (process.getuid !== undefined && uid !== process.getuid()) {
    throw new OperatorError(
      `${file} belongs to another user (${uid}): change its owner, or set another DATA_DIR.`,
    );
  }
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), keysSchema), text);
  if (success && (await areSigned(output))) return output;
  throw new OperatorError(
    `${file} is damaged: its two keys must be signed with its jwtSecret. Restore the file, or remove it to get new keys.`,
  );
}

function areSigned({ anonKey, serviceKey, jwtSecret }: Keys): Promise<boolean> {
  const { verify } = createTokens(jwtSecret);
  return Promise.all([verify(anonKey), verify(serviceKey)]).then(
    () => true,
    () => false,
  );
}

async function createKeys(file: string): Promise<Keys> {
  const keys = await signKeys(randomBytes(32).toString("base64url"));
  const temporaryFile = `${file}.${process.pid}`;
  try {
    await writeFile(temporaryFile, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600, flush: true });
    // link() is atomic and fails if the file exists, so processes that start at the same time use the same keys.
    await link(temporaryFile, file);
    return keys;
  } catch (error) {
    const existing = await readFrom(file);
    if (existing !== undefined) return existing;
    throw new OperatorError(`The keys cannot be written to ${file}: ${systemErrorMessage(error)}.`);
  } finally {
    await rm(temporaryFile, { force: true });
  }
}
