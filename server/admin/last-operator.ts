import type { ListedMember } from "../../common/data/operators.ts";
import { OperatorError } from "../config/operator-error.ts";
import type { AdminContext } from "./admin-context.ts";
import { allMembers } from "./members.ts";

/** The role in an account's `app_metadata`, which only the service key can write. */
export const OPERATOR = "operator";

/**
 * Makes a change that keeps this member from operating the site. Undoes the change if it leaves no operator: two
 * operators can do this to each other at the same moment, when both still see another operator.
 * Throws OperatorError if the member is the last operator.
 */
export async function keepAnOperator<Result>(
  { site, settings }: Pick<AdminContext, "site" | "settings">,
  member: ListedMember,
  change: () => Promise<Result>,
  undo: () => Promise<unknown>,
): Promise<Result> {
  // With OIDC_OPERATORS, the provider's groups decide who is an operator.
  if (settings.singleSignOn?.operatorGroups) return change();
  if (!member.is_operator || member.state !== "active") return change();
  const hasOthers = async () => {
    const operators = await allMembers(site, { state: OPERATOR });
    return operators.some(({ id, state }) => id !== member.id && state === "active");
  };
  const refusal = new OperatorError(
    `${member.email} is the last operator of this site: promote another member first.`,
  );
  if (!(await hasOthers())) throw refusal;
  const result = await change();
  if (await hasOthers()) return result;
  await undo();
  throw refusal;
}
