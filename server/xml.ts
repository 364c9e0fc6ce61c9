const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML 1.0 (§2.2) forbids most control characters, lone surrogates, U+FFFE and U+FFFF, even if they are escaped. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Escapes text for an element or a double-quoted attribute, and removes characters that XML forbids. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, "").replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';
