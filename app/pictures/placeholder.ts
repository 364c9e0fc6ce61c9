const SCHEME = "uploading:";
const PLACEHOLDER = /(\n\n)?!\[(?:[^[\]\\]|\\.)*\]\(uploading:[\w-]+\)/g;

/** The URL that a picture has in the text until its upload finishes. Browsers don't load it. */
export function placeholderAddress(id: string): string {
  return SCHEME + id;
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

/** Removes the placeholders of unfinished uploads from a Markdown text. */
export function withoutPlaceholders(text: string): string {
  return text.includes(SCHEME) ? text.replace(PLACEHOLDER, "") : text;
}

/** Returns where the text contains the placeholder with this URL, including an empty line before it. */
export function findPlaceholder(text: string, address: string): { start: number; end: number } | undefined {
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (!match[0].endsWith(`(${address})`)) continue;
    return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}
