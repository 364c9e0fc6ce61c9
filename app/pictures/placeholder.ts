const SCHEME = "uploading:";
const PLACEHOLDER = /!\[(?:[^[\]\\]|\\.)*\]\(uploading:([\w-]+?)-([0-2])([01])\)/g;
const IMAGE = /!\[(?:[^[\]\\]|\\.)*\]\([^()\n]*\)/g;

/** A picture that is shown in a Markdown text while it is being uploaded: `![name](uploading:…)`. */
export interface Placeholder {
  /** The id of the upload. */
  id: string;
  /** The placeholder's range, including the line breaks that were inserted with it. */
  start: number;
  end: number;
  /** The range of its URL, which the picture's URL replaces. Browsers don't load the placeholder's URL. */
  addressStart: number;
  addressEnd: number;
}

/** Derives a picture's alternative text from its file name, without the extension and without Markdown's characters. */
export function alternativeText(fileName: string): string {
  const name = fileName
    .replace(/\.\w{1,5}$/, "")
    .replaceAll("`", "'")
    .replace(/[[\]\\\s]+/g, " ")
    .trim();
  return name || "Picture";
}

/** The URL contains how many line breaks were inserted before and after the picture, so that they can be removed too. */
function placeholderText({ id, name }: { id: string; name: string }, before: number, after: number): string {
  return `${"\n".repeat(before)}![${name}](${SCHEME}${id}-${before}${after})${"\n".repeat(after)}`;
}

export function findPlaceholders(text: string): Placeholder[] {
  if (!text.includes(SCHEME)) return [];
  return [...text.matchAll(PLACEHOLDER)].map(({ 0: markup, 1: id = "", 2: before, 3: after, index }) => {
    const end = index + markup.length;
    return {
      id,
      start: index - countBreaks(text.slice(index - Number(before), index)),
      end: end + countBreaks(text.slice(end, end + Number(after))),
      addressStart: text.indexOf(`(${SCHEME}`, index) + 1,
      addressEnd: end - 1,
    };
  });
}

/** The member may have typed or deleted next to the picture, so its line breaks may be gone. */
const countBreaks = (text: string) => (/^\n+$/.test(text) ? text.length : 0);

/** Removes the placeholders of unfinished uploads from a Markdown text. */
export function withoutPlaceholders(text: string): string {
  let rest = text;
  for (const { start, end } of findPlaceholders(text).toReversed())
    rest = rest.slice(0, start) + rest.slice(end);
  return rest;
}

/** Text to insert in a field instead of the range from `start` to `end`, and where the cursor is afterwards. */
export interface Insertion {
  text: string;
  start: number;
  end: number;
  cursor: number;
}

/**
 * Returns how to insert placeholders at a selection: never inside another picture, and with the cursor on a new line
 * after the last one.
 */
export function insertPlaceholders(
  value: string,
  selection: { start: number; end: number },
  pictures: { id: string; name: string }[],
): Insertion {
  const isIn = (position: number, start: number, end: number) => position > start && position < end;
  const around = [...value.matchAll(IMAGE)].find(({ 0: markup, index }) => {
    const end = index + markup.length;
    return isIn(selection.start, index, end) || isIn(selection.end, index, end);
  });
  const afterImage = around && around.index + around[0].length;
  const start = afterImage ?? selection.start;
  const end = afterImage ?? selection.end;
  const isBeforeBreak = value[end] === "\n";
  const texts = pictures.map((picture, index) => {
    const isLast = index === pictures.length - 1;
    const before = index > 0 ? 2 : breaksBefore(value.slice(0, start));
    return placeholderText(picture, before, isLast && !isBeforeBreak ? 1 : 0);
  });
  const text = texts.join("");
  return { text, start, end, cursor: start + text.length + (isBeforeBreak ? 1 : 0) };
}

/** Returns the number of line breaks that put a picture into a new paragraph if it directly follows another one. */
function breaksBefore(text: string): number {
  if (/!\[(?:[^[\]\\]|\\.)*\]\([^()\n]*\)$/.test(text)) return 2;
  return /!\[(?:[^[\]\\]|\\.)*\]\([^()\n]*\)\n$/.test(text) ? 1 : 0;
}
