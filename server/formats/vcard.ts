import { personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import { absoluteUrl, type Portfolio } from "./portfolio.ts";

/** Writes a vCard 4.0 (RFC 6350) without empty properties. */
export function writeVcard({ person, skills }: Portfolio, siteUrl: string): string {
  const url = siteUrl + personPath(person.slug);
  const categories = new Set([...(person.featured_skills ?? []), ...skills.map(({ name }) => name)]);
  const properties: Record<string, string | undefined> = {
    SOURCE: `${url}.vcf`,
    KIND: "individual",
    UID: `urn:uuid:${person.id}`,
    FN: escapeText(authorName(person)),
    N: nameParts(authorName(person)),
    NICKNAME: escapeText(person.username),
    PHOTO: absoluteUrl(person.avatar_url, url),
    TITLE: escapeText(person.current_title),
    ORG: escapeText(person.company).replaceAll(";", "\\;"),
    "URL;PREF=1": url,
    URL: absoluteUrl(person.linkedin_url, url),
    NOTE: escapeText(person.bio),
    CATEGORIES: [...categories].map(escapeText).filter(Boolean).join(","),
    REV: person.updated_at ? basicTime(person.updated_at) : undefined,
  };
  const lines = Object.entries(properties).flatMap(([name, value]) => (value ? [`${name}:${value}`] : []));
  return ["BEGIN:VCARD", "VERSION:4.0", ...lines, "END:VCARD"].map((line) => `${fold(line)}\r\n`).join("");
}

/** All characters that parsers may treat as the end of a line. If they weren't escaped, texts could add properties. */
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
/** Control characters except tabs and line breaks. RFC 6350 §3.3 doesn't allow those below U+0080. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
const CONTROL = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;

/** Escapes as in RFC 6350 §3.4. A semicolon needs escaping only in properties with several components, such as ORG. */
function escapeText(text: string | null | undefined): string {
  return (text ?? "").replace(/[\\,]/g, "\\$&").replace(LINE_BREAK, "\\n").replace(CONTROL, "").trim();
}

/**
 * Writes the components of a name (RFC 6350 §6.2.2). Phones list contacts by the first one, so the last word counts as
 * the family name. The site doesn't know more about a name.
 */
function nameParts(name: string): string {
  const words = name.trim().split(/\s+/);
  const family = words.length > 1 ? (words.pop() ?? "") : "";
  const [escapedFamily, given] = [family, words.join(" ")].map((part) =>
    escapeText(part).replaceAll(";", "\\;"),
  );
  return `${escapedFamily};${given};;;`;
}

/** Formats `2026-01-05T10:00:00+00:00` as `20260105T100000Z` (RFC 6350 §4.3.5). */
const basicTime = (time: string) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, "");

const LINE_BYTES = 75;

/** Splits a line into lines of at most 75 bytes, but never within a character (RFC 6350 §3.2). */
function fold(line: string): string {
  let folded = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      folded += "\r\n ";
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
