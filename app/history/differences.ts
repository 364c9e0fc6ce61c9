import { diffArrays } from "diff";

export interface Part {
  change: "same" | "added" | "removed";
  /** Words and the characters between them, or lines of code. */
  units: string[];
}

/** A comparison gives up after this time, because `diffArrays` is very slow for long texts with little in common. */
const TIMEOUT_MS = 500;

/** Finds words in all scripts. The `diff` package's own `diffWords` would split words at every non-Latin letter. */
const words = new Intl.Segmenter(undefined, { granularity: "word" });

const unitsOf = (text: string, isCode: boolean): string[] =>
  isCode ? text.split(/(?<=\n)/) : Array.from(words.segment(text), ({ segment }) => segment);

/** Returns the words of a text, without the characters between them. */
export const wordsOf = (text: string): string[] =>
  Array.from(words.segment(text)).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []));

/** Compares a text with an earlier version, by word or, for code, by line. Returns null after a timeout. */
export function differencesOf(current: string, version: string, isCode: boolean): Part[] | null {
  const changes = diffArrays(unitsOf(current, isCode), unitsOf(version, isCode), { timeout: TIMEOUT_MS });
  if (!changes) return null;
  return changes.map(({ added, removed, value }) => ({
    change: added ? "added" : removed ? "removed" : "same",
    units: value,
  }));
}

/** In a text with fewer words or lines, marked changes are easy to read. */
const MIN_LENGTH = 10;

/** Whether more than half of the words or lines differ. Marked word by word, such a change can't be read. */
export function isMostlyChanged(parts: Part[]): boolean {
  const count = { same: 0, added: 0, removed: 0 };
  for (const { change, units } of parts)
    count[change] += units.filter((unit) => /[\p{L}\p{N}]/u.test(unit)).length;
  const length = count.same + Math.max(count.added, count.removed);
  return length >= MIN_LENGTH && count.same < length / 2;
}

const CONTEXT_LINES = 3;
/** About 20 words, because the spaces between words are units too. */
const CONTEXT_UNITS = 40;

/** Shortens unchanged text, but keeps some context before and after each difference. */
export function withoutUnchanged(parts: Part[], isCode: boolean): Part[] {
  const context = isCode ? CONTEXT_LINES : CONTEXT_UNITS;
  return parts.map((part, index) => {
    if (part.change !== "same") return part;
    const start = index === 0 ? 0 : context;
    const end = index === parts.length - 1 ? 0 : context;
    const { units } = part;
    if (units.length <= start + end) return part;
    const gap = isCode ? "…\n" : " … ";
    return { ...part, units: [...units.slice(0, start), gap, ...units.slice(units.length - end)] };
  });
}
