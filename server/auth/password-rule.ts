import { GoTrueError, invalid } from "./auth-error.ts";

const MIN_CHARACTERS = 6;
/** Longer passwords are rejected, because bcrypt ignores all bytes after the 72nd. */
const MAX_BYTES = 72;

export function fits(password: string): boolean {
  return Buffer.byteLength(password) <= MAX_BYTES;
}

/**
 * Returns the error of a password that is too short or too long, with the error codes of GoTrue's internal/api/password.go.
 */
export function passwordError(typed: string): GoTrueError | undefined {
  const password = typed.normalize("NFC");
  if (!fits(password)) return invalid(`Password cannot be longer than ${MAX_BYTES} bytes`);
  if ([...password].length >= MIN_CHARACTERS) return undefined;
  return new GoTrueError(422, "weak_password", `Password should be at least ${MIN_CHARACTERS} characters.`);
}
