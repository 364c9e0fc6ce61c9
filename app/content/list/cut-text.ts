import { MAX_CHARACTERS } from "../../../common/data/limits.ts";

const MAX_CARD_CHARACTERS = MAX_CHARACTERS.card;

const FENCE = /^[\s>*+\-\d.)]*(`{3,}|~{3,})(.*)$/;
/** A link's definition or the first line of a footnote. They are usually at the end of a text. */
const DEFINITIONS = /^ {0,3}\[[^\]\n]+\]:[^\n]*$/gm;

/** Returns the characters (code points) that a card shows, or null if the text isn't longer. */
function beginningOf(text: string): string | null {
  // A code point has at most two UTF-16 units.
  const beginning = Array.from(text.slice(0, 2 * MAX_CARD_CHARACTERS))
    .slice(0, MAX_CARD_CHARACTERS)
    .join("");
  return beginning.length < text.length ? beginning : null;
}

/**
 * Cuts Markdown that is too long for a card after a paragraph: at a blank line outside of a code fence. Cuts a longer
 * paragraph or code block after a line or a word. Keeps the definitions that follow the cut, so that links in the
 * beginning still work. Returns null if the text isn't too long.
 */
export function cutMarkdown(text: string): string | null {
  const beginning = beginningOf(text);
  if (beginning === null) return null;
  const shown = beginning.slice(0, lastBlankLine(beginning) || lastBreak(beginning));
  const definitions = text.slice(shown.length).match(DEFINITIONS) ?? [];
  return `${shown}\n\n${beginningOf(definitions.join("\n")) ?? definitions.join("\n")}`.trimEnd();
}

/** Whether the beginning of a Markdown text may refer to definitions after it: `[a]`, but not `[a](b)`. */
export const mayNeedDefinitions = (markdown: string): boolean => /\](?!\()/.test(markdown);

/** Cuts code that is too long for a card after a line. Returns null if it isn't too long. */
export function cutCode(text: string): string | null {
  const beginning = beginningOf(text);
  return beginning === null ? null : beginning.slice(0, lastBreak(beginning));
}

/** The index of the last blank line that isn't in a code fence, or 0. */
function lastBlankLine(text: string): number {
  let fence = "";
  let index = 0;
  let found = 0;
  for (const line of text.split("\n")) {
    const [, marks = "", after = ""] = FENCE.exec(line) ?? [];
    if (fence === "") fence = marks;
    else if (marks.startsWith(fence) && after.trim() === "") fence = "";
    // The last line may continue after the cut.
    if (fence === "" && line.trim() === "" && index + line.length < text.length) found = index;
    index += line.length + 1;
  }
  return found;
}

function lastBreak(text: string): number {
  const line = text.lastIndexOf("\n");
  return line > 0 ? line : text.lastIndexOf(" ") > 0 ? text.lastIndexOf(" ") : text.length;
}
