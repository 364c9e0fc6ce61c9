import type { RestoreOutcome } from "./versions.ts";

/** Returns the sentence to show after a failed restore, or null if the member has the item again. `name` is a title in quotes, or a number of items. */
export function restoreProblem(outcome: RestoreOutcome, name: string): string | null {
  if (outcome === "failed") return `${name} could not be restored. Try again in a moment.`;
  if (outcome === "taken") {
    return `${name} could not be restored, because its ID is in use. Its text is still in Recently Deleted on your profile.`;
  }
  return null;
}
