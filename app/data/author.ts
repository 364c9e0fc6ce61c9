import type { Author } from "./schema.ts";

export function authorName(author: Author): string {
  return author?.full_name || author?.username || "Unnamed member";
}

/** Who made something: the name to show, and the last segment of their address. */
export interface Writer {
  name: string;
  segment: string;
}
