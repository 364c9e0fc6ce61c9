import type { RestoreOutcome } from "./versions.ts";

/** Returns the sentence to show after a failed restore, or null if the member has the item again. */
export function restoreProblem(outcome: RestoreOutcome, title: string): string | null {
  if (outcome === "failed") return `"${title}" could not be restored. Try again in a moment.`;
  if (outcome === "taken") {
    return `"${title}" could not be restored, because its ID is in use. Its text is still in Recently Deleted on your profile.`;
  }
  return null;
}
