const ADDRESS = /\bhttps?:\/\/[^\s<>"“”«»]+/gi;
const FINAL_PUNCTUATION = /[.,:;!?'’…*_~]$/;
const BRACKETS: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

interface Part {
  text: string;
  isAddress: boolean;
}

/** Splits plain text into web addresses and the text around them. */
export function linkedParts(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutPunctuation(found);
    if (!URL.canParse(address)) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isAddress: false });
    parts.push({ text: address, isAddress: true });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isAddress: false });
  return parts;
}

/** Removes what ends the sentence, as GitHub Flavored Markdown does: a closing bracket stays if the address opens it. */
function withoutPunctuation(address: string): string {
  const unopened: Record<string, number> = {};
  for (const [closing, opening] of Object.entries(BRACKETS))
    unopened[closing] = address.split(closing).length - address.split(opening).length;
  let { length } = address;
  for (; length > 0; length--) {
    const last = address.charAt(length - 1);
    const count = unopened[last] ?? 0;
    if (count > 0) unopened[last] = count - 1;
    else if (!FINAL_PUNCTUATION.test(last)) break;
  }
  return address.slice(0, length);
}
