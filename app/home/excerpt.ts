import { withoutComments } from "../ui/markdown/comments.ts";

/** Characters of an excerpt (specification §9). */
const EXCERPT_CHARACTERS = 150;

/** Counts code points, so that no emoji is cut in half. */
export function beginning(text: string, characters: number): string {
  // No code point takes more than two units, so the rest of a long text need not be split.
  return Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join("");
}

/** Always with three dots, and with the markup, except comments (contract, "Labels and controls"). */
export const excerpt = (content: string) => `${beginning(withoutComments(content), EXCERPT_CHARACTERS)}...`;
