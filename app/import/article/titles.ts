import { decodeNamedCharacterReference } from "decode-named-character-reference";

const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));/gi;
/** In HTML, a numeric reference to a C1 control character means the Windows-1252 character with this number. */
const windows = new TextDecoder("windows-1252");

/** Decodes the HTML character references in the titles of blog exports. */
export function decodeEntities(title: string): string {
  return title.replace(REFERENCE, (reference: string, decimal?: string, hex?: string, name?: string) => {
    if (name) return decodeNamedCharacterReference(name) || reference;
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
    if (code >= 0x80 && code <= 0x9f) return windows.decode(Uint8Array.of(code));
    if (code === 0x09 || code === 0x0a || code === 0x0d) return " ";
    const isCharacter = code > 0x1f && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : reference;
  });
}
