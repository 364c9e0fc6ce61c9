import type { Author } from "./schema.ts";

export const authorName = ({ full_name, username }: Author): string =>
  full_name || username || "Unnamed member";
