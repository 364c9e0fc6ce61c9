const MAX_DESCRIPTION_LENGTH = 200;

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** Decodes the entities that our Markdown renderer writes. */
export const decodeEntities = (html: string) =>
  html.replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? "");

export function toDescription(text: string): string {
  const line = text
    .slice(0, 4 * MAX_DESCRIPTION_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  const letters = Array.from(line);
  if (letters.length <= MAX_DESCRIPTION_LENGTH) return line;
  const cut = letters.slice(0, MAX_DESCRIPTION_LENGTH - 1).join("");
  const lastSpace = cut.lastIndexOf(" ");
  return `${lastSpace > MAX_DESCRIPTION_LENGTH / 2 ? cut.slice(0, lastSpace) : cut}…`;
}

/** A tag, or the start of one at the end of a cut text. Attributes are in double quotes and may contain `>`. */
const TAG = /<(?:"[^"]*"?|[^">])*(>|$)/g;

/**
 * Extracts the prose from our renderer's HTML, without code blocks, footnotes and the table of contents. Regular
 * expressions suffice, because the renderer escapes every `<` in a text.
 */
export function describeHtml(html: string): string {
  const text = html
    .slice(0, 100 * MAX_DESCRIPTION_LENGTH)
    .replace(/<sup>.*?<\/sup>/g, "")
    .replace(/<(pre|button|section|details)[\s\S]*?(<\/\1>|$)/g, " ")
    .replace(/<\/(p|h[1-6]|li|td|th|blockquote|div)>|<br\/?>/g, " ")
    .replace(TAG, "");
  return toDescription(decodeEntities(text));
}
