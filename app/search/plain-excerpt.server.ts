import type { Nodes, Root } from "mdast";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { REMARK_PLUGINS } from "../../common/markdown/remark-plugins.ts";

/** The longest excerpt of `public.search_everything`, in code points. */
const MAX_CHARACTERS = 200;
/** An excerpt that starts in the middle of a text has at least this many characters before its first hit. */
const MIN_CUT_CONTEXT = 30;
const ELLIPSIS = "...";

// Two private-use characters surround each hit while the Markdown is parsed. To CommonMark, they are letters.
const HIT_START = "\uE000";
const HIT_END = "\uE001";
const HIT = /\uE000([^\uE000\uE001]*)\uE001/;
const HIT_MARKS = /[\uE000\uE001]/g;
/** The scheme of a web address. A hit may begin or end at each of its characters. */
const SCHEME = [..."http", "s?", ":", "/", "/"].map((character) => `[\uE000\uE001]?${character}`).join("");
/** A web address in a text, with the marks of hits, but without the punctuation after it. */
const ADDRESS = new RegExp(`${SCHEME}\\S+?(?=[.,;:!?'")\\]]*(?:\\s|$))`, "giu");

/** The database separates columns by a paragraph separator, such as a link's description and its category. */
const COLUMN_ENDS = /(?:\s*\u2029\s*)+/g;
const GAP = " · ";
const OUTER_GAPS = /^(?: · )+|(?: · )+$/g;

const processor = unified().use(remarkParse).use(REMARK_PLUGINS);

/** What an excerpt consists of. Code keeps all its characters. */
export type ExcerptFormat = "markdown" | "text" | "code";

/**
 * Makes an excerpt readable: without Markdown, with short addresses, and with three dots where it was cut. `parts` is a
 * result of `public.search_everything`. Every second part is a hit, here and in the returned list.
 */
export function plainExcerpt(parts: string[], format: ExcerptFormat): string[] {
  const excerpt = parts.map((part) => part.replace(HIT_MARKS, ""));
  const [start = ""] = excerpt;
  const isCutBefore = excerpt.length > 1 && start.length >= MIN_CUT_CONTEXT && startsInsideSentence(start);
  const isCutAfter = Array.from(parts.join("")).length >= MAX_CHARACTERS;
  const marked = excerpt.map((part, index) => (index % 2 === 1 ? HIT_START + part + HIT_END : part)).join("");
  const text = TO_TEXT[format](marked);
  const shown = text.replace(COLUMN_ENDS, GAP).replace(/\s+/g, " ").replace(OUTER_GAPS, "").trim();
  const framed = `${isCutBefore ? ELLIPSIS : ""}${shown}${isCutAfter ? ELLIPSIS : ""}`;
  return framed.split(HIT).map((part) => part.replace(HIT_MARKS, ""));
}

const withShortAddresses = (text: string) => text.replace(ADDRESS, shortAddress);

const TO_TEXT: Record<ExcerptFormat, (marked: string) => string> = {
  markdown: toPlainText,
  text: withShortAddresses,
  code: (marked) => marked,
};

/**
 * Shortens an address to its host, because screen readers spell out the rest. An address with a hit keeps its path, and is
 * marked as a whole. A hit may begin before the address, or end after it.
 */
function shortAddress(marked: string): string {
  const url = URL.parse(marked.replace(HIT_MARKS, ""));
  if (!url) return marked;
  const host = url.host.replace(/^www\./, "");
  const marks = marked.match(HIT_MARKS);
  if (!marks) return host;
  const shown = host + url.pathname.replace(/\/$/, "");
  return `${marks[0] === HIT_START ? HIT_START : ""}${shown}${marks.at(-1) === HIT_END ? HIT_END : ""}`;
}

/** The database doesn't say whether an excerpt is the beginning of its text, so this is a guess from its first character. */
const startsInsideSentence = (text: string) => !/^\s*[\p{Lu}\p{N}#>*+\-|`~![]/u.test(text);

function toPlainText(excerpt: string): string {
  return textOf(processor.runSync(processor.parse(completeMarkdown(excerpt))) as Root);
}

/** Repairs the Markdown at both ends of an excerpt, which may begin or end inside a link or a code block. */
function completeMarkdown(excerpt: string): string {
  const markdown = excerpt
    .replace(/^([^[\]\n]*)\]\(([^()\s]*)\)/, (_, text: string, address: string) => text + ifHit(address))
    .replace(
      /(?<!\S)!?\[([^[\]\n]*)(?:\]\(([^()\s]*))?$/,
      (_, text: string, address = "") => text + ifHit(address),
    );
  const fence = /^ {0,3}(`{3,}|~{3,})[^\S\n]*$/m.exec(markdown);
  const anyFence = /^ {0,3}(?:`{3,}|~{3,})/m.exec(markdown);
  if (!fence || fence.index === 0 || anyFence?.index !== fence.index) return markdown;
  // A blank line usually precedes a fence that opens a block, and code precedes one that closes it.
  const closes = !/\n[^\S\n]*\n$/.test(markdown.slice(0, fence.index));
  return closes ? `${fence[1]}\n${markdown}` : markdown;
}

/** Returns text that readers of the rendered article don't see, such as an address, only if it contains a hit. */
const ifHit = (text: string | null | undefined) =>
  text?.includes(HIT_START) ? ` (${withShortAddresses(text)})` : "";

function textOf(node: Nodes): string {
  switch (node.type) {
    case "text":
      return withShortAddresses(withoutLooseMarks(node.value));
    case "code":
      return `${ifHit(node.lang)} ${node.value}`;
    case "inlineCode":
    case "html":
      return node.value;
    case "break":
      return " ";
    case "image":
      return (node.alt ?? "") + ifHit(node.url);
    case "imageReference":
      return node.alt ?? "";
    case "definition":
      return ifHit(node.url);
    case "link": {
      const text = node.children.map(textOf).join("");
      return text.includes(HIT_START) ? text : text + ifHit(node.url);
    }
    default:
      return "children" in node ? node.children.map(textOf).join(isPhrasing(node) ? "" : " ") : "";
  }
}

const PHRASING_PARENTS = new Set([
  "paragraph",
  "heading",
  "tableCell",
  "emphasis",
  "strong",
  "delete",
  "linkReference",
]);

const isPhrasing = ({ type }: Nodes) => PHRASING_PARENTS.has(type);

/** Removes marks of emphasis and code that lost their other half. */
const withoutLooseMarks = (text: string) =>
  text.replace(/(?<![^\s\uE000])(?:\*{1,3}|`|~~)(?=\S)|(?<=\S)(?:\*{1,3}|`|~~)(?![^\s\uE001.,;:!?])/g, "");
