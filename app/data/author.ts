import type { Author } from "./schema.ts";

export function authorName(author: Author): string {
  return author?.full_name || author?.username || "Unnamed member";
}

export interface Writer {
  name: string;
  segment: string;
}
