import { normalizeEmail } from "../auth/email-address.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { NewMember } from "./member-actions.ts";

/** `Name <address>`, or `Name (address)`. */
const NAME_AND_ADDRESS = /^([^<>]*?)\s*(?:<([^<>]+)>|\(([^()\s]+@[^()\s]+)\))$/;
/** Marks of direction and of width, which programs copy with a text. */
const INVISIBLE = /[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const ADDRESS_BETWEEN_SEPARATORS = /(?<=^|[,;\t])[^,;\t@]*@[^,;\t@]*(?=$|[,;\t])/;

/**
 * Reads one line of a list of new members, as people paste it from a spreadsheet or a mail program: an email address, with
 * a name before or after it. Throws OperatorError.
 */
export function readNewMember(line: string): NewMember {
  const text = trimmed(line.replace(INVISIBLE, ""));
  const [, nameBefore, inAngles, inParentheses] = NAME_AND_ADDRESS.exec(text) ?? [];
  const last = text.slice(text.lastIndexOf(",") + 1);
  const between = ADDRESS_BETWEEN_SEPARATORS.exec(text)?.[0] ?? last;
  const address = unquoted(inAngles ?? inParentheses ?? between).replace(/^mailto:/i, "");
  const email = normalizeEmail(address);
  if (email === undefined) {
    const reason = /[\p{Cc}\p{Cf}]/u.test(address)
      ? "contains an invisible character"
      : "is not an email address";
    throw new OperatorError(`"${address.trim()}" ${reason}.`);
  }
  const full_name = unquoted(nameBefore ?? text.replace(between, "")).replace(/\s+/g, " ");
  return { email, ...(full_name && { full_name }) };
}

const trimmed = (text: string): string => text.replace(/^[\s,;]+|[\s,;]+$/g, "");

function unquoted(text: string): string {
  return trimmed(trimmed(text).replace(/^(["'])(.*)\1$/s, "$2"));
}
