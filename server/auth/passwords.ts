import { randomBytes } from "node:crypto";
import bcrypt from "bcrypt";
import PQueue from "p-queue";
import { LIMITS } from "../config/limits.ts";
import { fits, passwordError } from "./password-rule.ts";

export type Passwords = ReturnType<typeof createPasswords>;

const BCRYPT_COST = 10;
/**
 * Returns the Unicode forms to try for a password, because the keyboard decides whether "é" is one or two code points.
 * Passwords are hashed in NFC, but until November 2026, they were hashed as typed.
 */
function unicodeForms(password: string): string[] {
  const forms = [password.normalize("NFC"), password, password.normalize("NFD")];
  return [...new Set(forms)].filter(fits);
}

export function createPasswords(cost = BCRYPT_COST) {
  const threads = new PQueue({ concurrency: LIMITS.passwordHashes });
  const decoy = bcrypt.hash(randomBytes(32).toString("base64"), cost);
  return {
    /**
     * Does the same work if the hash is missing, so that the duration doesn't reveal whether an account exists. With
     * `afterOthers`, lets all other passwords pass first.
     */
    async matches(
      password: string,
      hash: string | null | undefined,
      { afterOthers = false } = {},
    ): Promise<boolean> {
      const stored = hash ?? (await decoy);
      const priority = afterOthers ? -1 : 0;
      for (const form of unicodeForms(password)) {
        if (await threads.add(() => bcrypt.compare(form, stored), { priority }))
          return typeof hash === "string";
      }
      return false;
    },
    /** Rejects passwords that are too short or too long. */
    async hash(typed: string): Promise<string> {
      const password = typed.normalize("NFC");
      const error = passwordError(password);
      if (error) throw error;
      return threads.add(() => bcrypt.hash(password, cost));
    },
  };
}
