const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** What XML 1.0 can hold in no form (its §2.2): most control characters, halves of characters, two code points. */
const UNSAYABLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Text for an element or an attribute in double quotes. */
export function xmlText(text: string): string {
  return text.replace(UNSAYABLE, "").replace(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n';
