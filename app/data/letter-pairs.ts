/** Three letters or digits side by side, which a trigram index serves. */
const TRIGRAM = /[\p{L}\p{N}]{3}/u;

/** The two capitals beyond ASCII whose small letters are ASCII: a dotted I, and the sign of kelvin. */
const STRAY_CAPITALS = new Map([
  ["\u0130", "i"],
  ["\u212A", "k"],
]);
/** What `extensions.letter_pairs` says of a text with one of them. */
export const HAS_STRAY_CAPITAL = "\u0130";

const SIGMA = /[σς]/;
/** More of them would hardly find less, and addresses have an end. */
const MOST_PAIRS = 8;

/** Takes a text, returns it with the letters of ASCII in place of the two stray capitals. */
export function withoutStrayCapitals(text: string): string {
  return text.replace(/[\u0130\u212A]/g, (letter) => STRAY_CAPITALS.get(letter) ?? letter);
}

/** Takes a text, returns whether one of its letters is the same as a stray capital, but for the case. */
export function mayStandForStrayCapital(text: string): boolean {
  return /[ik\u0130\u212A]/i.test(text);
}

/**
 * Takes a text, returns the pairs of neighbouring characters (or the one character) by which the database finds
 * whatever contains it, as `extensions.letter_pairs` makes them; none where trigrams find it, or nothing does.
 */
export function pairsToFind(text: string): string[] {
  if (TRIGRAM.test(text)) return [];
  const letters = Array.from(text);
  const pairs = letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
  const certain = (pairs.length > 0 ? pairs : letters).filter(isCertain).map((pair) => pair.toLowerCase());
  return [...new Set(certain)].slice(0, MOST_PAIRS);
}

/**
 * Whether every database has the same small letters for it. Some locales know those of ASCII only, and sigma has two,
 * which are one letter to the search.
 */
function isCertain(pair: string): boolean {
  return Array.from(pair).every(
    (letter) => letter < "\x80" || (letter.toLowerCase() === letter && !SIGMA.test(letter)),
  );
}
