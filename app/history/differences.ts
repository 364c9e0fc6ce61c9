import { diffLines, diffWordsWithSpace } from "diff";

export interface Part {
  change: "same" | "added" | "removed";
  text: string;
}

/** The algorithm is very slow for long texts with little in common. */
const TIMEOUT_MS = 500;

/** Compares a form's text with an earlier version, by word or, for code, by line. Returns null if it takes too long. */
export function differencesOf(current: string, version: string, isCode: boolean): Part[] | null {
  const options = { timeout: TIMEOUT_MS };
  const changes = isCode
    ? diffLines(current, version, options)
    : diffWordsWithSpace(current, version, options);
  if (!changes) return null;
  return changes.map(({ added, removed, value }) => ({
    change: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

const CONTEXT_CHARACTERS = 120;
const CONTEXT_LINES = 3;
const GAP = "…";

/** Shortens unchanged text, but keeps some context before and after each difference. */
export function withoutUnchanged(parts: Part[], isCode: boolean): Part[] {
  return parts.map((part, index) => {
    if (part.change !== "same") return part;
    const isFirst = index === 0;
    const isLast = index === parts.length - 1;
    const text = isCode
      ? shorten(part.text.split(/(?<=\n)/), CONTEXT_LINES, `${GAP}\n`, isFirst, isLast)
      : shorten([...part.text], CONTEXT_CHARACTERS, ` ${GAP} `, isFirst, isLast);
    return { ...part, text };
  });
}

function shorten(units: string[], context: number, gap: string, isFirst: boolean, isLast: boolean): string {
  const start = isFirst ? 0 : context;
  const end = isLast ? 0 : context;
  if (units.length <= start + end) return units.join("");
  return [...units.slice(0, start), gap, ...units.slice(units.length - end)].join("");
}
