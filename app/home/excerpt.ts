/** Characters of an excerpt (specification §9). */
const EXCERPT_CHARACTERS = 150;

/** Counts code points, so that no emoji is cut in half, and always adds three dots (contract, "Labels and controls"). */
export function excerpt(content: string): string {
  // No code point takes more than two units, so the rest of a long article need not be split.
  const characters = Array.from(content.slice(0, 2 * EXCERPT_CHARACTERS));
  return `${characters.slice(0, EXCERPT_CHARACTERS).join("")}...`;
}
