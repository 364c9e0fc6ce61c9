import { invalid } from "./auth-error.ts";

const MAX_LENGTH = 255;

// HTML, 4.10.5.1.5. ASCII only, and checked before lower case, where the Kelvin sign would become a `k`.
const LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const PATTERN = new RegExp(`^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})*$`);

export function normalizeEmail(typed: string): string | undefined {
  const email = typed.trim();
  return email.length <= MAX_LENGTH && PATTERN.test(email) ? email.toLowerCase() : undefined;
}

/** Throws 400 `validation_failed`, in GoTrue's words. */
export function requireEmail(typed: string): string {
  if (typed.trim() === "") throw invalid("An email address is required");
  const email = normalizeEmail(typed);
  if (email === undefined) throw invalid("Unable to validate email address: invalid format");
  return email;
}
