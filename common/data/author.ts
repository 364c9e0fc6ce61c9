import { hasText } from "./has-text.ts";
import type { Author } from "./schema.ts";

/** A person's name, or "" if their full name and username are blank. A search by author finds this name. */
export const storedName = ({ full_name, username }: Author): string =>
  [full_name, username].find(hasText)?.trim() ?? "";

/** A person's name for display. It is never empty, because it is the text of links. */
export const authorName = (author: Author): string => storedName(author) || "Unnamed member";
