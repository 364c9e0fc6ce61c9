const SCHEME = "uploading:";
const PLACEHOLDER = /(\n\n)?!\[(?:[^[\]\\]|\\.)*\]\(uploading:[\w-]+\)/g;

/** The URL of a picture in a text until its upload finishes. Browsers don't load it. */
export function placeholderAddress(id: string): string {
  return SCHEME + id;
}

/** The picture's name as alternative text, without its extension and without brackets. */
export function alternativeText(fileName: string): string {
  const name = fileName
    .replace(/\.\w{1,5}$/, "")
    .replace(/[[\]\\\s]+/g, " ")
    .trim();
  return name || "Picture";
}

/** Removes pictures whose upload has not finished. */
export function withoutPlaceholders(text: string): string {
  return text.includes(SCHEME) ? text.replace(PLACEHOLDER, "") : text;
}

/** The position of the placeholder with this URL in a text, including the preceding empty line. */
export function findPlaceholder(text: string, address: string): { start: number; end: number } | undefined {
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (!match[0].endsWith(`(${address})`)) continue;
    return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}
