const graphemes = new Intl.Segmenter();
/** Zero-width characters and other characters that have no glyph. */
const INVISIBLE = /^\p{Default_Ignorable_Code_Point}*$/u;

/** Returns the first character, as readers see characters, of a name's first two words: a flag counts as one. */
export function initials(name: string): string {
  return name
    .split(/[\s._-]+/)
    .filter((word) => !INVISIBLE.test(word))
    .slice(0, 2)
    .map((word) => Array.from(graphemes.segment(word), ({ segment }) => segment).find(isVisible) ?? "")
    .join("")
    .toUpperCase();
}

const isVisible = (segment: string): boolean => !INVISIBLE.test(segment);
