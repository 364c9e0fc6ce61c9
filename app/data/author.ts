import type { Author } from "./schema.ts";

/** A person's name, or "" for a person whose full name and username are blank. A search by author finds this text. */
export const nameOf = ({ full_name, username }: Author): string =>
  full_name?.trim() || username?.trim() || "";

/** A person's name as shown: it is never empty, because it is the text of links. */
export const authorName = (author: Author): string => nameOf(author) || "Unnamed member";
