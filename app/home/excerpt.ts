import { withoutComments } from "../ui/markdown/comments.ts";

/** Specification §9. */
const EXCERPT_CHARACTERS = 150;

/** Counts code points, so that no emoji is cut in half. */
export function firstCharacters(text: string, characters: number): string {
  // A code point has at most two units, so don't split the rest of a long text.
  return Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join("");
}

/** Always with three dots, and with the markup, except comments (contract, "Labels and controls"). */
export const excerpt = (content: string) =>
  `${firstCharacters(withoutComments(content), EXCERPT_CHARACTERS)}...`;
