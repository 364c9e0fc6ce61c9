import { withoutComments } from "../ui/markdown/comments.ts";

/** The length of an excerpt on the home page (specification §9). */
const EXCERPT_CHARACTERS = 150;

/** Counts code points, so that no surrogate pair is split. */
export function firstCharacters(text: string, characters: number): string {
  // A code point has at most two UTF-16 code units, so the rest of a long text needn't be split into code points.
  return Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join("");
}

/** Returns the start of an item's Markdown, without HTML comments and with three dots (contract, "Labels and controls"). */
export const excerpt = (content: string) =>
  `${firstCharacters(withoutComments(content), EXCERPT_CHARACTERS)}...`;
