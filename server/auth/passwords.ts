import { randomBytes } from "node:crypto";
import bcrypt from "bcrypt";
import { GoTrueError, invalid } from "./auth-error.ts";

export type Passwords = ReturnType<typeof createPasswords>;

const BCRYPT_COST = 10;
const MIN_CHARACTERS = 6;
/** bcrypt ignores the bytes after these. */
const MAX_BYTES = 72;

function fits(password: string): boolean {
  return Buffer.byteLength(password) <= MAX_BYTES;
}

/**
 * The Unicode encodings of one password. Keyboards send "é" as one or two code points, and hashes from before November 2026
 * are of the password as typed.
 */
function encodingsOf(password: string): string[] {
  const encodings = [password.normalize("NFC"), password, password.normalize("NFD")];
  return [...new Set(encodings)].filter(fits);
}

/** Hashes with bcrypt in libuv's threads. Callers limit how many hashes run at once. */
export function createPasswords(cost = BCRYPT_COST) {
  const decoy = bcrypt.hash(randomBytes(32).toString("base64"), cost);
  return {
    /** Does the same work without a hash (an unknown account), so that its duration reveals nothing. */
    async matches(password: string, hash: string | null | undefined): Promise<boolean> {
      const stored = hash ?? (await decoy);
      for (const encoding of encodingsOf(password)) {
        if (await bcrypt.compare(encoding, stored)) return typeof hash === "string";
      }
      return false;
    },
    /** Throws 422 `weak_password`, and 400 for a password that bcrypt would cut (GoTrue, internal/api/password.go). */
    async hash(typed: string): Promise<string> {
      const password = typed.normalize("NFC");
      if (!fits(password)) throw invalid(`Password cannot be longer than ${MAX_BYTES} bytes`);
      if ([...password].length < MIN_CHARACTERS) {
        const message = `Password should be at least ${MIN_CHARACTERS} characters.`;
        throw new GoTrueError(422, "weak_password", message);
      }
      return bcrypt.hash(password, cost);
    },
  };
}
