/** What one import may hold, so that a hostile archive cannot exhaust the browser's memory. */
export const LIMITS = {
  files: 10_000,
  fileBytes: 10 * 1024 * 1024,
  totalBytes: 256 * 1024 * 1024,
};

/** The limits of an import that is under way; `totalBytes` goes down with every file. */
export type Budget = typeof LIMITS;
