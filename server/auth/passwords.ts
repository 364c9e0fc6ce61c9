import { randomBytes } from "node:crypto";
import bcrypt from "bcrypt";
import { GoTrueError, invalid } from "./auth-error.ts";

export type Passwords = ReturnType<typeof createPasswords>;

const BCRYPT_COST = 10;
const MIN_CHARACTERS = 6;
/** bcrypt ignores what comes after. */
const MAX_BYTES = 72;

function fits(password: string): boolean {
  return Buffer.byteLength(password) <= MAX_BYTES;
}

/** bcrypt in libuv's threads. Callers bound how many run at once. */
export function createPasswords(cost = BCRYPT_COST) {
  const decoy = bcrypt.hash(randomBytes(32).toString("base64"), cost);
  return {
    /** Without a hash (an unknown account) it does the same work and says no. */
    async matches(password: string, hash: string | null | undefined): Promise<boolean> {
      if (!fits(password)) return false;
      return (await bcrypt.compare(password, hash ?? (await decoy))) && typeof hash === "string";
    },
    /** Throws 422 `weak_password` and, instead of keeping only a part of it, 400 (GoTrue, internal/api/password.go). */
    async hash(password: string): Promise<string> {
      if (!fits(password)) throw invalid(`Password cannot be longer than ${MAX_BYTES} bytes`);
      if ([...password].length < MIN_CHARACTERS) {
        const message = `Password should be at least ${MIN_CHARACTERS} characters.`;
        throw new GoTrueError(422, "weak_password", message);
      }
      return bcrypt.hash(password, cost);
    },
  };
}
