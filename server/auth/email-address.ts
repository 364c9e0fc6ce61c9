import { domainToASCII } from "node:url";
import * as v from "valibot";
import { withoutInvisible } from "../../common/data/pasted-text.ts";
import { invalid } from "./auth-error.ts";

// rfcEmail, which accepts only ASCII, must run before toLowerCase, because toLowerCase turns look-alikes such as the
// Kelvin sign into ASCII letters. The result could be another member's address.
const schema = v.pipe(
  v.string(),
  v.transform(withoutInvisible),
  v.trim(),
  v.transform(encodeDomain),
  v.maxLength(255),
  v.rfcEmail(),
  v.toLowerCase(),
);

/** Converts an international domain to its ASCII form (`xn--…`, RFC 5891), as browsers and mail servers do. */
function encodeDomain(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = domainToASCII(email.slice(at + 1));
  // Leave a domain without `xn--` unchanged: it is already ASCII, or it is invalid, or it contains look-alikes (such as
  // the Kelvin sign) that IDNA would map to ASCII letters. The schema must reject the latter two.
  return at > 0 && domain.includes("xn--") ? email.slice(0, at + 1) + domain : email;
}

/** Returns undefined if the text is not exactly one email address. */
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
