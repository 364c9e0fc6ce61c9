import { decodeNamedCharacterReference } from "decode-named-character-reference";
import type { Heading, Root } from "mdast";
import { toString as toPlainText } from "mdast-util-to-string";
import { visitParents } from "unist-util-visit-parents";
import { ATTRIBUTE_LIST } from "../text/leftover-syntax.ts";
import { parseMarkdown, rangeOf } from "../text/markdown-source.ts";

const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));/gi;
/** In HTML, a numeric reference to a C1 control character means the Windows-1252 character with this number. */
const windows = new TextDecoder("windows-1252");

/** Decodes the HTML character references in the titles of blog exports. */
export function decodeTitle(title: string): string {
  return title.replace(REFERENCE, (reference: string, decimal?: string, hex?: string, name?: string) => {
    if (name) return decodeNamedCharacterReference(name) || reference;
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
    if (code >= 0x80 && code <= 0x9f) return windows.decode(Uint8Array.of(code));
    if (code === 0x09 || code === 0x0a || code === 0x0d) return " ";
    const isCharacter = code > 0x1f && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : reference;
  });
}

/** A heading after this many characters is unlikely to be the title. */
const SEARCHED_CHARACTERS = 100_000;
/** Hugo and kramdown write a heading's id after its text, as `{#id}` or `{: #id}`. It is not part of the title. */
const ATTRIBUTES = new RegExp(String.raw`\s*${ATTRIBUTE_LIST}$`, "u");
const LINE_END_AND_BLANK_LINES = /^[ \t]*(?:\r?\n|\r|$)(?:[ \t]*(?:\r?\n|\r))*/;

/**
 * Returns the heading that is an article's title, and the text without it: this site shows the title above the text.
 * If `title` is empty, it is the first level-1 heading or, if there is none, the first heading. Otherwise, it is a
 * heading with the same words at the start of the text. A heading with a picture or a link stays in the text, and so does
 * one that is the whole text.
 */
export function withoutHeading(text: string, title: string): { heading: string | undefined; rest: string } {
  const { children } = parseMarkdown(text.slice(0, SEARCHED_CHARACTERS));
  const headings = children.filter((node) => node.type === "heading");
  const find = (level: number) => headings.find((node) => node.depth <= level && plainTextOf(node) !== "");
  const found = find(1) ?? find(6);
  if (!found) return { heading: undefined, rest: text };
  const heading = plainTextOf(found);
  const range = rangeOf(found);
  const isTitle = title === "" || (heading === title && found === children[0]);
  if (!range || !isTitle || hasPictureOrLink(found)) return { heading, rest: text };
  const before = text.slice(0, text.lastIndexOf("\n", range.start - 1) + 1);
  const after = text.slice(range.end).replace(LINE_END_AND_BLANK_LINES, "");
  if (`${before}${after}`.trim() === "") return { heading, rest: text };
  const joinsParagraphs = before.trim() !== "" && after !== "" && !/\n[ \t]*\r?\n$/.test(before);
  const rest = before + (joinsParagraphs ? "\n" : "") + after;
  // For example, indented code could become part of the list above it when the heading is removed.
  const blocks = (nodes: Root["children"]) => nodes.map(({ type }) => type).join();
  const { children: others } = parseMarkdown(
    rest.slice(0, Math.max(0, SEARCHED_CHARACTERS - (text.length - rest.length))),
  );
  return {
    heading,
    rest: blocks(others) === blocks(children.filter((node) => node !== found)) ? rest : text,
  };
}

function hasPictureOrLink(heading: Heading): boolean {
  let found = false;
  visitParents(heading, ["image", "imageReference", "link", "linkReference"], () => {
    found = true;
  });
  return found;
}

function plainTextOf(heading: Heading): string {
  const text = toPlainText(heading, { includeImageAlt: false, includeHtml: false });
  return text.replace(/\s+/g, " ").replace(ATTRIBUTES, "").trim();
}
