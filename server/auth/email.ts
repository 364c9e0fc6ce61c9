import * as v from "valibot";
import { invalid } from "./auth-error.ts";

// ASCII only, and checked before lower case, where the Kelvin sign would become a `k`.
const schema = v.pipe(v.string(), v.trim(), v.maxLength(255), v.rfcEmail(), v.toLowerCase());

export function normalizeEmail(typed: string): string | undefined {
  const { success, output } = v.safeParse(schema, typed);
  return success ? output : undefined;
}

export function requireEmail(typed: string): string {
  if (typed.trim() === "") throw invalid("An email address is required");
  const email = normalizeEmail(typed);
  if (email === undefined) throw invalid("Unable to validate email address: invalid format");
  return email;
}
