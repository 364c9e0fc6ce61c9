import type { Author } from "./schema.ts";

/** The full name, or the username when that is empty (specification §1). */
export function authorName(author: Author): string {
  return author?.full_name || author?.username || "Unnamed member";
}

/** Who made something: the name to show, and the last segment of their address. */
export interface Writer {
  name: string;
  segment: string;
}
