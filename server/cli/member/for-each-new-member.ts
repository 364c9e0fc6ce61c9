import { createInterface } from "node:readline";
import { invitationLines } from "../../../common/data/invitation-lines.ts";
import type { ActionResult } from "../../../common/data/operators.ts";
import type { NewMember } from "../../admin/member-actions.ts";
import { readNewMember } from "../../admin/new-members.ts";
import { OperatorError, UsageError } from "../../config/operator-error.ts";
import type { Invocation } from "../run-command.ts";

/**
 * Reads new members from standard input, one per line, and prints a result for each. A line that fails doesn't stop the
 * rest. Throws OperatorError at the end if any failed.
 */
export async function forEachNewMember(
  { texts, print, input }: Invocation,
  act: (member: NewMember) => Promise<ActionResult>,
): Promise<void> {
  const single = ["username", "full-name"].find((option) => texts[option] !== undefined);
  if (single) throw new UsageError(`--${single} needs --email`);
  let count = 0;
  let failures = 0;
  for await (const lines of createInterface({ input })) {
    for (const line of invitationLines(lines)) {
      count += 1;
      try {
        const { text, link } = await act(readNewMember(line));
        print(link ? `${text} ${link}` : text);
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error;
        failures += 1;
        print(`${line.trim()}: ${error.message}`);
      }
    }
  }
  if (count === 0) {
    throw new OperatorError("No email address was given: set --email, or pass addresses on standard input.");
  }
  if (failures > 0) throw new OperatorError(`${failures} of ${count} lines failed.`);
}
