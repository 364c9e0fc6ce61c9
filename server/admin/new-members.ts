import { hasInvisible, withoutInvisible } from "../../common/data/pasted-text.ts";
import { normalizeEmail } from "../auth/email-address.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { NewMember } from "./member-actions.ts";

/** `Name <address>`, `Name (address)` or Outlook's `Name [mailto:address]`. */
const NAME_AND_ADDRESS = /^([^<>]*?)\s*(?:<([^<>]+)>|[([]([^()[\]\s]+@[^()[\]\s]+)[)\]])$/;
const ADDRESS_AND_NAME = /^(\S+@\S+)\s+\(([^()@]+)\)$/;
const LIST_MARKER = /^(?:[-*•–]|\d+[.)])\s+/;
const ADDRESS_BETWEEN_SEPARATORS = /(?<=^|[,;\t])[^,;\t@]*@[^,;\t@]*(?=$|[,;\t])/;

/**
 * Reads one line of a list of new members, as people paste it from a spreadsheet or a mail program: an email address, with
 * a name before or after it. Throws OperatorError.
 */
export function readNewMember(line: string): NewMember {
  const text = trimmed(withoutInvisible(line)).replace(LIST_MARKER, "").replace(ADDRESS_AND_NAME, "$2 <$1>");
  const [, nameBefore, inAngles, inParentheses] = NAME_AND_ADDRESS.exec(text) ?? [];
  const last = text.slice(text.lastIndexOf(",") + 1);
  const between = ADDRESS_BETWEEN_SEPARATORS.exec(text)?.[0] ?? last;
  const address = unquoted(inAngles ?? inParentheses ?? between).replace(/^mailto:|\.$/gi, "");
  const email = normalizeEmail(address);
  if (email === undefined) {
    const reason = hasInvisible(address) ? "contains an invisible character" : "is not an email address";
    throw new OperatorError(`"${address.trim()}" ${reason}.`);
  }
  const full_name = unquoted(nameBefore ?? text.replace(between, "")).replace(/\s+/g, " ");
  return { email, ...(full_name && { full_name }) };
}

const trimmed = (text: string): string => text.replace(/^[\s,;]+|[\s,;]+$/g, "");

function unquoted(text: string): string {
  return trimmed(trimmed(text).replace(/^["'“”„‘’«»](.*)["'“”‘’«»]$/s, "$1"));
}
