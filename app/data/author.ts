import type { Author } from "./schema.ts";

/** A link's text, so blanks count as empty. */
export const authorName = ({ full_name, username }: Author): string =>
  [full_name, username].find((name) => name?.trim()) ?? "Unnamed member";
