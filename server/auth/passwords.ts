import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import bcrypt from "bcrypt";
import { createQueue } from "../http/queue.ts";
import { GoTrueError, invalid } from "./auth-error.ts";

/** Compares and hashes passwords off the event loop, a few at a time. */
export interface Passwords {
  /** Takes a password and an account's hash (none for an unknown account), returns whether they match. */
  matches(password: string, hash: string | null | undefined): Promise<boolean>;
  /** Takes a password that passed checkNewPassword, returns its bcrypt hash. */
  hash(password: string): Promise<string>;
}

const cost = 10;
const shortest = 6;
/** bcrypt reads 72 bytes and ignores the rest. */
const longestBytes = 72;

// How long one may wait is for those to say who stand in line with all that they do: whole sign-ins.
const limits = {
  atOnce: Math.min(4, availableParallelism()),
  mostWaiting: 64,
  longestWait: Number.POSITIVE_INFINITY,
};

/**
 * Takes a password that somebody wants to set. Throws 422 `weak_password` under 6 characters and 400 over 72
 * bytes, both as GoTrue does (internal/api/password.go), instead of keeping a part of it.
 */
export function checkNewPassword(password: string): void {
  if (!fits(password)) throw invalid(`Password cannot be longer than ${longestBytes} bytes`);
  if ([...password].length < shortest) {
    const message = `Password should be at least ${shortest} characters.`;
    throw new GoTrueError(422, "weak_password", message, { weakPassword: ["length"] });
  }
}

/** Takes a hash from outside, returns whether it is bcrypt's at a cost that a server can bear (4 to 12). */
export function isBcryptHash(hash: string): boolean {
  const rounds = /^\$2[ab]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1];
  return rounds !== undefined && Number(rounds) >= 4 && Number(rounds) <= 12;
}

function fits(password: string): boolean {
  return Buffer.byteLength(password) <= longestBytes;
}

/**
 * Takes bcrypt's cost (10, as Supabase has it, unless told), returns the hashing of this process: at most 4 at a
 * time, at most 64 waiting, then 429 with `Retry-After`.
 */
export function createPasswords(rounds = cost): Passwords {
  const queue = createQueue(limits, tooManySignIns);
  // An unknown account costs the same work as a known one. Nobody knows what this is the hash of.
  const decoy = bcrypt.hash(randomBytes(32).toString("base64"), rounds);
  return {
    async matches(password, hash) {
      if (!fits(password)) return false;
      const known = typeof hash === "string" && isBcryptHash(hash);
      const against = known ? hash : await decoy;
      return (await queue.run(() => bcrypt.compare(password, against))) && known;
    },
    hash: (password) => queue.run(() => bcrypt.hash(password, rounds)),
  };
}

/** Returns what is thrown when more people sign in than can be served. */
export function tooManySignIns(): GoTrueError {
  const message = "Too many sign-ins at this moment, try again shortly";
  return new GoTrueError(429, "over_request_rate_limit", message, { retryAfter: 2 });
}
