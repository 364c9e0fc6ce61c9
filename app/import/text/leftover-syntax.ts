import type { Root } from "mdast";
import { visitParents } from "unist-util-visit-parents";
import { PICTURE_NAME } from "../pictures/find-picture.ts";
import {
  applyReplacements,
  destinationOf,
  END_OF_LINK,
  HIDDEN,
  parseMarkdown,
  type Range,
  type Replacement,
  rangeOf,
  runningText,
} from "./markdown-source.ts";
import { listOf, quoteTag } from "./tags.ts";

const MAY_HAVE_LEFTOVERS =
  /%%|\{[:{%.#\w]|\[\[|!\[|__GHOST_URL__|==|:::|\[\/?(?:caption|embed|gallery|playlist|audio|video|code|sourcecode|youtube|vimeo|gist|contact-form)\b/;

/**
 * The comments of Obsidian, kramdown, Liquid and Hugo. The readers of the source never see them. `%%` next to a word
 * outside the pair, to a quotation mark or to a third `%` is code, e.g. `%%time and %%bash`, and so is `LIKE %%a%%`.
 */
const PRIVATE =
  /(?<![\w%"']|\bI?LIKE )%%(?!%)(?:(?!%%)[\s\S])*?(?<![%"'])%%(?![\w%"'])|\{::comment\}[\s\S]*?\{:\/(?:comment)?\}|\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}|\{\{[<%]\s*comment\s*[>%]\}\}[\s\S]*?\{\{[<%]\s*\/\s*comment\s*[>%]\}\}/g;
const MARKS_OF_COMMENT =
  /^(?:%%|\{::comment\}|\{%[^%]*%\}|\{\{[^}]*\}\})|(?:%%|\{:\/\w*\}|\{%[^%]*%\}|\{\{[^}]*\}\})$/g;
const FENCE = /^[ \t>]*(?:`{3}|~{3})/m;
/** Liquid's marks around text that may contain braces. */
const RAW = /\{%-?\s*(?:end)?raw\s*-?%\}/g;
const HIGHLIGHT =
  /\{\{[<%]\s*highlight\s+([^\s`"{}]+)[^{}]*?[>%]\}\}|\{%-?\s*highlight\s+([^\s`"{}%]+)[^{}]*?%\}/g;
const END_OF_HIGHLIGHT = /\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}|\{%-?\s*endhighlight\s*-?%\}/g;
/** A list item's marker or a quotation's, which may precede a block on its first line. */
const LINE_START = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?[ \t]*$/;

const QUOTED = String.raw`"[^"\n]*"|'[^'\n]*'`;
/** HackMD's sizes and Hashnode's attributes, which make a picture invalid Markdown. */
const LAYOUT = String.raw`=(?=[\dx])[\d%x*]+|(?:align|width|height|style|class)=(?:${QUOTED}|[^\s()"']+)`;
const ADDRESS = String.raw`<[^<>\n]*>|[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*`;
const LAID_OUT_PICTURE = new RegExp(
  String.raw`(!\[[^[\]\n]*\]\(\s*(?:${ADDRESS}))((?:\s+(?:${QUOTED}|${LAYOUT}))+)\s*\)`,
  "g",
);
const TITLE = new RegExp(String.raw`\s+(?:${QUOTED})(?=\s|$)`);
/** Obsidian's size after an alternative text: `![A plan|300](plan.png)`. */
const SIZE_IN_ALT = /^!\[[^[\]]*?(\\?\|\s*\d{2,}(?:x\d+)?\s*)\]/;
const BRACES = /\{[^{}\n]*\}/g;
const ATTRIBUTE = String.raw`(?:[.#][\p{L}_-][\p{L}\p{M}\p{N}_:-]*|[\w-]+=(?:${QUOTED}|[^\s"'{}]+))`;
/**
 * Attributes as in Pandoc and kramdown: `{.wide width=300}`, `{: #id}`. But `{:ok, value}`, Rust's `{:#x}`, Python's
 * `{:.2f}` and Svelte's `{#if}` are code.
 */
export const ATTRIBUTE_LIST = String.raw`\{(?!:#[a-zA-Z]\}|#(?:if|each|await|key|snippet)\b):?\s*${ATTRIBUTE}(?:\s+${ATTRIBUTE})*\s*\}`;
const ATTRIBUTES = new RegExp(`^${ATTRIBUTE_LIST}$`, "u");
/** Kramdown's other marks that fill a line: the table of contents, options, and unprocessed HTML. */
const KRAMDOWN_LINE =
  /^\{(?::\s*(?:toc|no_toc)(?:\s[^{}]*)?|:[\w-]+:\s[^{}]*|::(?:options|nomarkdown)\b[^{}]*|:\/(?:nomarkdown)?)\}$/;
/** Obsidian's `[[A note|its text]]`, but neither an embedded note nor an index, as in `frame[["price"]]`. */
const WIKI_LINK = /(?<![!\w[\])}$"'`\\])\[\[(?=[^\s|])([^[\]\n]*[^[\]\s])\]\](?![\](])/g;
/** Expressions of Bash, lists of Python and Prolog, attributes of C++ and tables of TOML, e.g. `[[nodiscard]]`. */
const CODE_IN_BRACKETS =
  /["`$={}<>;\\\0]|::|^['!:-]|^\w$|'$|^[\d\s.,;+-]+$|^[a-z\d_.]+$|^[\w.+-]+(?:\s*,\s*[\w.+-]+)+$/;
/** WordPress' marks around a picture and its caption, also with Markdown's escapes. */
const CAPTION = /\\?\[\/?caption(?:\s[^[\]\n]*?)?\\?\]/g;
/** WordPress' marks around the address of a video or a post: `[embed]https://…[/embed]`. */
const EMBEDDED = /\\?\[embed(?:\s[^[\]\n]*?)?\\?\]\s*(https?:\/\/[^\s[\]<>\\]+)\s*\\?\[\/embed\\?\]/g;
/** WordPress' shortcodes that this site can't show. */
const SHORTCODE =
  /\\?\[\/?(?:gallery|playlist|audio|video|code|sourcecode|youtube|vimeo|gist|contact-form(?:-7)?)(?:\s[^[\]\n]*?)?\\?\]/g;
/** Obsidian's embedded notes. Pictures have notes of their own. */
const EMBEDDED_NOTE = /!\[\[(?=[^\s|])([^[\]\n]*[^[\]\s])\]\]/g;
/** Marks that this site doesn't have, but that can also be code: highlights, Jinja's comments and directives. */
const OTHER_MARKS = [
  /(?<![\w=!<>"'(])==(?![\s=])[^=\n]*[^\s=]==(?![\w="'(])/g,
  /\{#-?\s(?:(?!#\})[^\n])*#\}/g,
  /^[ \t]*:{3,}[ \t]*[\w{][^\n:]*$/gm,
];
const GHOST_ROOT = /(?<=[(<]|=["']?|^)__GHOST_URL__(?=[/"')>]|$)\/?/g;

/** The wiki links and notes of an import, as far as its files show them. */
export interface Vault {
  /** Whether a program with wiki links wrote the files. */
  hasWikiLinks: boolean;
  isNote(name: string): boolean;
}
const NO_VAULT: Vault = { hasWikiLinks: false, isNote: () => false };

/**
 * Removes the syntax of other programs that would show up as text: layout, private comments, and links between notes.
 * Also turns highlight blocks into fenced code. Every other byte stays. The notes name what is removed.
 */
export function dropLeftoverSyntax(
  source: string,
  vault: Vault = NO_VAULT,
): { text: string; notes: string[] } {
  if (!MAY_HAVE_LEFTOVERS.test(source)) return { text: source, notes: [] };
  const shown = removePrivate(fenceHighlights(source));
  const { text, removed, shownAsText, unlinked } = dropLayout(shown.text, vault);
  return {
    text,
    notes: [
      ...noteOf("private comments, removed", shown.removed),
      ...noteOf("marks of another program, removed", removed),
      ...noteOf("shown as text", shownAsText),
      ...noteOf("links to no file of this import, now text", unlinked),
    ],
  };
}

/** Repeats, because code that has not been fenced yet can hide the next block from the parser. */
function fenceHighlights(source: string): string {
  let text = source;
  for (;;) {
    const fenced = fenceVisible(text);
    if (fenced === text) return text;
    text = fenced;
  }
}

function fenceVisible(text: string): string {
  if (text.search(HIGHLIGHT) === -1) return text;
  const replacements: Replacement[] = [];
  let done = 0;
  for (const match of runningText(text, parseMarkdown(text)).matchAll(HIGHLIGHT)) {
    const prefix = linePrefix(text, match.index);
    if (match.index < done || !LINE_START.test(prefix)) continue;
    const codeStart = match.index + match[0].length;
    END_OF_HIGHLIGHT.lastIndex = codeStart;
    const closing = END_OF_HIGHLIGHT.exec(text);
    if (!closing) continue;
    done = closing.index + closing[0].length;
    const code = text.slice(codeStart, closing.index).replace(/^[ \t]*\r?\n|\r?\n[ \t>]*$/g, "");
    const longest = Math.max(2, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
    const fence = "`".repeat(longest + 1);
    const newline = `\n${prefix.replace(/[^\s>]/g, " ")}`;
    const isLast = /^[ \t]*(?:\r?\n|$)/.test(text.slice(done));
    replacements.push({
      start: match.index,
      end: done,
      text: `${fence}${match[1] ?? match[2]}\n${code}${newline}${fence}${isLast ? "" : newline}`,
    });
  }
  return applyReplacements(text, replacements);
}

function removePrivate(source: string): { text: string; removed: string[] } {
  if (source.search(PRIVATE) === -1) return { text: source, removed: [] };
  const tree = parseMarkdown(source);
  const running = runningText(source, tree);
  const paragraphs: Range[] = [];
  visitParents(tree, ["paragraph", "heading", "tableCell"], (node) => {
    paragraphs.push(...[rangeOf(node) ?? []].flat());
  });
  const isInParagraph = ({ start, end }: Range) =>
    paragraphs.some((each) => each.start <= start && end <= each.end);
  const comments = Array.from(running.matchAll(PRIVATE), ({ 0: match, index }) => {
    const range = { start: index, end: index + match.length };
    const comment = source.slice(range.start, range.end);
    const lines = wholeLines(source, range);
    // A comment may contain blocks only if its marks begin and end lines. If %% fills its line, words may precede the
    // closing %%.
    const isOne =
      isInParagraph(range) ||
      (lines && /^(?:%%[ \t]*\r?\n|[^\n]*[%}]\r?\n[\s\S]*\n[ \t>]*[%{][^\n]*$)/.test(comment));
    if (!isOne) return [];
    const words = comment.replace(MARKS_OF_COMMENT, "").trim();
    return words === "" ? [] : [{ ...(lines ?? range), text: "", words: `“${quoteTag(words)}”` }];
  }).flat();
  return { text: applyReplacements(source, comments), removed: comments.map(({ words }) => words) };
}

function dropLayout(text: string, vault: Vault) {
  const tree = parseMarkdown(text);
  const running = runningText(text, tree);
  const layout = [
    ...sizesInAlternatives(text, tree),
    ...laidOutPictures(text, running),
    ...attributeLists(text, running),
    ...rawMarks(text, running),
    ...captions(text, running),
  ];
  const links = wikiLinks(text, running, vault);
  const embedded = marksInText(text, running, EMBEDDED, (address) => `<${address}>`);
  const quote = ({ start, end }: Range, kept = "") =>
    quoteTag(text.slice(start, end).replace(kept, "").trim());
  return {
    text: applyReplacements(text, [...ghostRoots(text, tree, running), ...layout, ...links, ...embedded]),
    removed: layout.map((mark) => quote(mark, mark.text)),
    shownAsText: [
      ...marksInText(text, running, SHORTCODE).map((mark) => quote(mark)),
      ...links.filter(isKept).map((link) => quote(link)),
      ...otherMarks(text, running),
    ],
    unlinked: links
      .filter((link) => !isKept(link) && !link.text.endsWith(".md>)"))
      .map((link) => quote(link)),
  };
}

/** Replaces marks that may contain escaped punctuation, but not marks in code. */
function marksInText(
  text: string,
  running: string,
  marks: RegExp,
  replace = (_: string) => "",
): Replacement[] {
  return Array.from(text.matchAll(marks), ({ 0: match, 1: part = "", index }): Replacement[] => {
    // Code and comments hide the mark's name. The brackets of a link are hidden without a backslash.
    const isBracket = match.startsWith("\\") || running[index] !== HIDDEN;
    const isVisible = isBracket && running[index + match.search(/[a-z]/)] !== HIDDEN;
    return isVisible ? [{ start: index, end: index + match.length, text: replace(part) }] : [];
  }).flat();
}

/** Removes the marks around a picture and its caption. Other marks may be words about WordPress. */
function captions(text: string, running: string): Replacement[] {
  const marks = marksInText(text, running, CAPTION);
  const isClosing = ({ start }: Range) => /^\\?\[\//.test(text.slice(start, start + 3));
  return marks.filter((mark, n) => {
    const partner = isClosing(mark) ? marks[n - 1] : marks[n + 1];
    const isPair = partner && isClosing(mark) !== isClosing(partner);
    const between = isPair
      ? text.slice(Math.min(mark.start, partner.start), Math.max(mark.end, partner.end))
      : linePrefix(text, mark.start);
    return /!\[|<img\s/i.test(between) && !FENCE.test(between);
  });
}

/** Removes Liquid's marks around text with braces, or on lines of their own. Other marks may be words about Liquid. */
function rawMarks(text: string, running: string): Replacement[] {
  const marks = Array.from(running.matchAll(RAW), ({ 0: match, index }) => {
    const mark = { start: index, end: index + match.length };
    return { lines: wholeLines(text, mark), ...mark, isEnd: match.includes("endraw") };
  });
  return marks.flatMap(({ start, end, lines, isEnd }, n) => {
    const partner = marks[isEnd ? n - 1 : n + 1];
    if (!partner || partner.isEnd === isEnd) return [];
    const between = text.slice(Math.min(end, partner.end), Math.max(start, partner.start));
    const isRaw = (lines && partner.lines) || between.trim() === "" || /\{[{%#:]|[%#}]\}/.test(between);
    return isRaw ? [{ ...(lines ?? { start, end }), text: "" }] : [];
  });
}

/** Names what readers will see as marks. */
function otherMarks(text: string, running: string): string[] {
  return OTHER_MARKS.flatMap((marks) =>
    Array.from(running.matchAll(marks), ({ 0: match, index }) =>
      quoteTag(text.slice(index, index + match.length).trim()),
    ),
  );
}

/** Ghost exports `__GHOST_URL__` for the root of the site. */
function ghostRoots(text: string, tree: Root, running: string): Replacement[] {
  const roots = (part: string, offset: number) =>
    Array.from(part.matchAll(GHOST_ROOT), ({ 0: match, index }) => ({
      start: offset + index,
      end: offset + index + match.length,
      text: "/",
    }));
  const replacements = roots(running, 0);
  visitParents(tree, (node) => {
    const range = node.type === "html" ? rangeOf(node) : destinationOf(node);
    if (range) replacements.push(...roots(text.slice(range.start, range.end), range.start));
  });
  return replacements;
}

function sizesInAlternatives(text: string, tree: Root): Replacement[] {
  const replacements: Replacement[] = [];
  visitParents(tree, "image", (node) => {
    const range = rangeOf(node);
    const [match, size] = SIZE_IN_ALT.exec(range ? text.slice(range.start, range.end) : "") ?? [];
    if (!range || !match || !size) return;
    const end = range.start + match.length - 1;
    replacements.push({ start: end - size.length, end, text: "" });
  });
  return replacements;
}

function laidOutPictures(text: string, running: string): Replacement[] {
  return Array.from(running.matchAll(LAID_OUT_PICTURE), ({ 1: before = "", 2: layout = "", index }) => {
    const start = index + before.length;
    const end = start + layout.length;
    const [title] = TITLE.exec(text.slice(start, end)) ?? [];
    return { start, end, text: title ?? "" };
  });
}

/** Removes kramdown's `{: … }` and, after a picture or a link, attributes without the colon. */
function attributeLists(text: string, running: string): Replacement[] {
  return Array.from(running.matchAll(BRACES), ({ index }): Replacement[] => {
    const [braces = ""] = /^\{[^{}\n]*\}/.exec(text.slice(index)) ?? [];
    const list = { start: index, end: index + braces.length };
    const before = running[index - 1] ?? "";
    const isList = ATTRIBUTES.test(braces);
    if (!braces.startsWith("{:")) {
      if (!isList) return [];
      return before === END_OF_LINK ? [{ ...list, text: "" }] : atHeading(text, list);
    }
    const line = wholeLines(text, list);
    if (line && (isList || KRAMDOWN_LINE.test(braces))) return [{ ...line, text: "" }];
    if (!isList) return [];
    const prefix = linePrefix(text, index);
    const isAttached =
      [END_OF_LINK, HIDDEN].includes(before) || /[^\s*_~][*_~]+$/.test(prefix) || LINE_START.test(prefix);
    return isAttached ? [{ ...list, text: "" }] : atHeading(text, list);
  }).flat();
}

/** Removes attributes at the end of a heading, with the spaces before them. */
function atHeading(text: string, { start, end }: Range): Replacement[] {
  const [, spaces] = /^[ \t>]*#{1,6}[ \t]+\S.*?([ \t]+)$/.exec(linePrefix(text, start)) ?? [];
  const isLast = /^[ \t]*#*[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  return spaces && isLast ? [{ start: start - spaces.length, end, text: "" }] : [];
}

/**
 * A link to a note of the import becomes a link to its file. Another link becomes its text if the files have wiki links.
 * Otherwise it stays, because `[[Prototype]]` is also a word of JavaScript.
 */
function wikiLinks(text: string, running: string, { hasWikiLinks, isNote }: Vault): Replacement[] {
  const found = [...running.matchAll(WIKI_LINK), ...running.matchAll(EMBEDDED_NOTE)];
  const links = found.flatMap(({ 0: match, index }) => {
    const range = { start: index, end: index + match.length };
    const inside = text.slice(text.indexOf("[", index) + 2, range.end - 2);
    const isDefinition = text[range.end] === ":" && LINE_START.test(linePrefix(text, index));
    const [target = "", ...labels] = inside.split(/\\?\|/);
    const file = target.replace(/#.*$/s, "").trim();
    const isFile = isNote(file);
    const isCode = CODE_IN_BRACKETS.test(
      running.slice(range.end - 2 - inside.length).slice(0, target.length),
    );
    const isPicture = PICTURE_NAME.test(file);
    if (isDefinition || isPicture || (isCode && !isFile)) return [];
    return [
      { ...range, target, file, isFile, label: labels.at(-1)?.trim(), isEmbedded: match.startsWith("!") },
    ];
  });
  const hasProof =
    hasWikiLinks || links.some(({ isFile, label, target }) => isFile || label || /#[^#]/.test(target));
  return links.map(({ start, end, target, file, isFile, label, isEmbedded }) => {
    const name = target
      .replace(/#?\^[\w-]+$/, "")
      .replace(/^#+/, "")
      .replaceAll("#", " > ");
    const shown = label || name;
    const kept = text.slice(start, end);
    const isText = hasProof && !isEmbedded;
    return { start, end, text: isFile ? `[${shown}](<${file}.md>)` : isText ? shown : kept };
  });
}

const isKept = (link: Replacement): boolean => /^!?\[\[/.test(link.text);

/** Extends a range to its whole lines. Returns null if they contain other text. */
function wholeLines(text: string, { start, end }: Range): Range | null {
  const prefix = linePrefix(text, start);
  if (!/^[ \t>]*$/.test(prefix)) return null;
  const [rest] = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end)) ?? [];
  return rest === undefined ? null : { start: start - prefix.length, end: end + rest.length };
}

function linePrefix(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
}

const noteOf = (what: string, marks: string[]): string[] =>
  marks.length > 0 ? [`${what}: ${listOf([...new Set(marks)])}`] : [];
