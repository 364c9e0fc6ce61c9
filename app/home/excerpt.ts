import { withoutComments } from "../../common/markdown/comments.ts";

/** The length of an excerpt on the home page (specification §9). */
const EXCERPT_CHARACTERS = 150;

/** Counts code points, so that no surrogate pair is split. */
export function firstCharacters(text: string, characters: number): string {
  // A code point has at most two UTF-16 code units, so the rest of a long text needn't be split into code points.
  return Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join("");
}

/**
 * Removes the HTML comments from an item's Markdown, and returns its first characters and three dots (contract, "Labels
 * and controls where the specification is silent").
 */
export const excerpt = (content: string) =>
  `${firstCharacters(withoutComments(content), EXCERPT_CHARACTERS)}...`;
