import { storedName } from "../../common/data/author.ts";
import type { ListedMember } from "../../common/data/operators.ts";

/** The labels of the actions, which are also the paths of their requests. */
export const LABELS = {
  suspend: "Suspend",
  unsuspend: "Unsuspend",
  retire: "Retire",
  unretire: "Unretire",
  "password-link": "Send Password Link",
  feature: "Feature",
  unfeature: "Unfeature",
  "clear-profile": "Clear Profile",
  "remove-content": "Remove Content",
  remove: "Remove",
};

export type MemberAction = keyof typeof LABELS;

/** The actions that lose data. */
export const DANGEROUS: readonly MemberAction[] = ["clear-profile", "remove-content", "remove"];

/** Whether an action can change a member in this state. */
export function applies(action: MemberAction, { state, featured }: ListedMember): boolean {
  switch (action) {
    case "suspend":
      return state === "active" || state === "invited";
    case "unsuspend":
      return state === "suspended";
    case "retire":
      return state !== "former";
    case "unretire":
      return state === "former";
    case "feature":
      return !featured;
    case "unfeature":
      return featured;
    default:
      return true;
  }
}

/** The action that an operator most likely wants for a member in this state. */
export function likelyAction({ state }: ListedMember): MemberAction | undefined {
  if (state === "suspended") return "unsuspend";
  if (state === "former") return "unretire";
  return state === "invited" ? "password-link" : undefined;
}

/** The member's name or, without one, the email address. */
export const nameOf = (member: ListedMember): string => storedName(member) || member.email;

/** Names up to three members, such as "ada@example.com" or "a@example.com, b@example.com and 4 more members". */
export function listOf(members: readonly ListedMember[]): string {
  const emails = members.map(({ email }) => email);
  if (emails.length === 1) return emails.join();
  const isLong = emails.length > 3;
  const shown = emails.slice(0, isLong ? 2 : -1).join(", ");
  return `${shown} and ${isLong ? `${emails.length - 2} more members` : emails.at(-1)}`;
}
