import { normalizeEmail } from "../auth/email-address.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { NewMember } from "./member-actions.ts";

const NAME_AND_ADDRESS = /^(?:"([^"]*)"|([^<>]*?))\s*<([^<>]+)>$/;

/**
 * Reads one line of a list of new members: an email address, `Name <address>` or `name,address`. Throws OperatorError.
 */
export function readNewMember(line: string): NewMember {
  const text = line.trim();
  const comma = text.lastIndexOf(",");
  const [, quotedName, plainName, addressInBrackets] = NAME_AND_ADDRESS.exec(text) ?? [];
  const address = addressInBrackets ?? text.slice(comma + 1);
  const name = quotedName ?? plainName ?? text.slice(0, Math.max(comma, 0));
  const email = normalizeEmail(address);
  if (email === undefined) {
    throw new OperatorError(`"${address.trim()}" is not an email address.`);
  }
  const full_name = name
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim();
  return { email, ...(full_name && { full_name }) };
}
