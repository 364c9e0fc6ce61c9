/** The names under which the browser's storage keeps drafts start with this. */
export const DRAFTS = "techfolio.draft.";

/** The names under which the browser's storage keeps a member's drafts of a form start with this. */
export const draftPrefix = (userId: string | null, formKey: string) => `${DRAFTS}${userId}.${formKey}.`;

export function browserStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

export function hasDraft(userId: string, formKey: string): boolean {
  return Object.keys(browserStorage() ?? {}).some((key) => key.startsWith(draftPrefix(userId, formKey)));
}
