import { replaceRange } from "../ui/text-editing.ts";

/** Longer HTML is pasted as plain text, because its conversion would block the page. */
const MAX_HTML = 1_000_000;
/** How long a member waits for the code that converts, before the plain text is pasted. In milliseconds. */
const MAX_WAIT = 3_000;
const MAY_BE_FORMATTED =
  /<(?:h[1-6]|strong|b|em|i|a|ul|ol|li|table|blockquote|hr|del|s|code|pre|img)[\s>]|font-weight\s*:\s*(?:bold|[6-9]00)|font-style\s*:\s*italic|line-through|mso-list/i;
const ADDRESS = /^\S+:\/\/\S+$/;
const FENCE = /^[ \t>]*(?:`{3,}|~{3,})/gm;

interface RichText {
  html: string;
  plain: string;
}

/**
 * Returns the formatted text of a clipboard. Null for plain text, for an address, and for code: editors mark theirs, and
 * what is pasted into a code block is code.
 */
export function richTextOf(data: DataTransfer, field: HTMLTextAreaElement): RichText | null {
  const html = data.getData("text/html");
  const plain = data.getData("text/plain").replace(/\r\n?/g, "\n");
  const isText = plain.trim() !== "" && !ADDRESS.test(plain.trim()) && html.length <= MAX_HTML;
  if (!isText || data.types.includes("vscode-editor-data") || !MAY_BE_FORMATTED.test(html)) return null;
  const fences = field.value.slice(0, field.selectionStart).match(FENCE)?.length ?? 0;
  return fences % 2 === 1 ? null : { html, plain };
}

/**
 * Replaces the selection by the text as Markdown, or by the plain text if it has no formatting or can't be converted.
 * Returns the number of pictures that the text lacks.
 */
export async function pasteAsMarkdown(
  field: HTMLTextAreaElement,
  { html, plain }: RichText,
): Promise<number> {
  const { value, selectionStart, selectionEnd } = field;
  const converted = await convert(html);
  if (!field.isConnected) return 0;
  // The member may have typed meanwhile: what they typed stays, and the text is pasted at the cursor.
  const isUnchanged = field.value === value;
  const start = isUnchanged ? selectionStart : field.selectionEnd;
  const end = isUnchanged ? selectionEnd : field.selectionEnd;
  const text = converted?.markdown ?? plain;
  replaceRange(field, start, end, text);
  field.setSelectionRange(start + text.length, start + text.length);
  return converted?.missingPictures ?? 0;
}

async function convert(html: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), MAX_WAIT);
  });
  try {
    // Load the converter only when a member pastes formatted text.
    const conversion = import("./html-to-markdown.ts").then(({ htmlToMarkdown }) => htmlToMarkdown(html));
    return await Promise.race([conversion, timeout]);
  } catch {
    // Nested too deeply, or the code can't be loaded.
    return null;
  } finally {
    clearTimeout(timer);
  }
}
