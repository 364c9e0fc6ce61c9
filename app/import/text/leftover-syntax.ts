import type { Root } from "mdast";
import { visitParents } from "unist-util-visit-parents";
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

const MAY_HAVE_LEFTOVERS = /%%|\{[:{%.#\w]|\[\[|!\[|__GHOST_URL__/;

/** Obsidian's `%%…%%` and kramdown's `{::comment}…{:/comment}`. Their authors' readers never see them. */
const PRIVATE = /(?<![\d%])%%(?!%)[\s\S]*?%%|\{::comment\}[\s\S]*?\{:\/(?:comment)?\}/g;
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
const SIZE_IN_ALT = /^!\[[^[\]]*?(\\?\|\s*\d+(?:x\d+)?\s*)\]/;
const BRACES = /\{[^{}\n]*\}/g;
/** Attributes as in Pandoc: `{.wide width=300}`. */
const ATTRIBUTES = /^\{\s*(?:[.#][\w-]+|[\w-]+=(?:"[^"]*"|'[^']*'|[^\s"'}]+))(?:\s[^{}]*)?\}$/;
/** Obsidian's `[[A note|its text]]`, but neither an embedded note nor what looks like code. */
const WIKI_LINK = /(?<![![])\[\[(?=[^\s|])([^[\]\n]+)\]\](?![\](])/g;
const GHOST_ROOT = /__GHOST_URL__\/?/g;

/**
 * Removes the syntax of other programs that would show up as text: layout, private comments, and links between notes.
 * Also turns highlight blocks into fenced code. Every other byte stays.
 */
export function dropLeftoverSyntax(source: string): { text: string; notes: string[] } {
  if (!MAY_HAVE_LEFTOVERS.test(source)) return { text: source, notes: [] };
  const fenced = fenceHighlights(source);
  const { text, count } = removePrivate(fenced);
  const notes =
    count === 0
      ? []
      : [count === 1 ? "a private comment is removed" : `${count} private comments are removed`];
  return { text: dropLayout(text), notes };
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

function removePrivate(source: string): { text: string; count: number } {
  if (source.search(PRIVATE) === -1) return { text: source, count: 0 };
  const running = runningText(source, parseMarkdown(source));
  const replacements = Array.from(running.matchAll(PRIVATE), ({ 0: match, index }) => {
    const comment = { start: index, end: index + match.length };
    return { ...(wholeLines(source, comment) ?? comment), text: "" };
  });
  return { text: applyReplacements(source, replacements), count: replacements.length };
}

function dropLayout(text: string): string {
  const tree = parseMarkdown(text);
  const running = runningText(text, tree);
  return applyReplacements(text, [
    ...ghostRoots(text, tree, running),
    ...sizesInAlternatives(text, tree),
    ...laidOutPictures(text, running),
    ...attributeLists(text, running),
    ...wikiLinks(text, running),
  ]);
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
    if (!braces.startsWith("{:")) {
      return before === END_OF_LINK && ATTRIBUTES.test(braces) ? [{ ...list, text: "" }] : [];
    }
    const line = wholeLines(text, list);
    if (line) return [{ ...line, text: "" }];
    const prefix = linePrefix(text, index);
    const isAttached = [END_OF_LINK, HIDDEN, "*", "_", "~"].includes(before) || LINE_START.test(prefix);
    if (isAttached) return [{ ...list, text: "" }];
    if (!/^[ \t]*#{1,6}\s/.test(prefix)) return [];
    const spaces = /[ \t]*$/.exec(prefix)?.[0].length ?? 0;
    return [{ start: index - spaces, end: list.end, text: "" }];
  }).flat();
}

function wikiLinks(text: string, running: string): Replacement[] {
  return Array.from(running.matchAll(WIKI_LINK), ({ 0: match, index }): Replacement[] => {
    const inside = text.slice(index + 2, index + match.length - 2);
    const end = index + match.length;
    const isDefinition = text[end] === ":" && LINE_START.test(linePrefix(text, index));
    const isMatrix = /^[\d\s.,;+-]+$/.test(inside);
    if (isDefinition || isMatrix) return [];
    const [target = "", ...labels] = inside.split(/\\?\|/);
    const name = target
      .replace(/#?\^[\w-]+$/, "")
      .replace(/^#+/, "")
      .replaceAll("#", " > ");
    return [{ start: index, end, text: labels.at(-1)?.trim() || name }];
  }).flat();
}

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
