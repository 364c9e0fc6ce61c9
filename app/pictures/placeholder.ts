const SCHEME = "uploading:";
const PLACEHOLDER = /(\n\n)?!\[(?:[^[\]\\]|\\.)*\]\(uploading:[\w-]+\)/g;

/** The address of a picture in a text until its upload has finished. Browsers load nothing for it. */
export function placeholderAddress(id: string): string {
  return SCHEME + id;
}

/** The picture's name as alternative text: without its ending and without what would end the brackets. */
export function alternativeText(fileName: string): string {
  const name = fileName
    .replace(/\.\w{1,5}$/, "")
    .replace(/[[\]\\\s]+/g, " ")
    .trim();
  return name || "Picture";
}

/** Removes pictures from a draft if their upload has not finished. */
export function withoutPlaceholders(text: string): string {
  return text.includes(SCHEME) ? text.replace(PLACEHOLDER, "") : text;
}

/** The position of the picture with this address in a text, with the empty line before it. */
export function findPlaceholder(text: string, address: string): { start: number; end: number } | undefined {
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (!match[0].endsWith(`(${address})`)) continue;
    return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}
