import type { Nodes, Root } from "mdast";
import remarkParse from "remark-parse";
import { type Processor, unified } from "unified";
import { visitParents } from "unist-util-visit-parents";
import { REMARK_PLUGINS } from "../../../common/markdown/remark-plugins.ts";

export interface Range {
  start: number;
  end: number;
}

/** A change to a text. The rest of the text stays byte for byte. */
export interface Replacement extends Range {
  text: string;
}

/** Replaces code, comments, URLs and escaped punctuation in `runningText`. */
export const HIDDEN = "\0";
/** Replaces the last character of an image or a link in `runningText`. */
export const END_OF_LINK = "\x01";
const ESCAPE = /\\[!-/:-@[-`{-~]/g;
/** Separates paragraphs. A mark of another program doesn't reach across it. */
export const BLANK_LINE = /\n[ \t>]*\r?\n/;
export const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;

const destinations = new WeakMap<object, Range>();

/** Makes the parser record where the URLs of images, links and definitions are, including their angle brackets. */
function recordDestinations(this: Processor): void {
  const data = this.data();
  data.fromMarkdownExtensions ??= [];
  data.fromMarkdownExtensions.push({
    enter: { resourceDestination: recordDestination, definitionDestination: recordDestination },
  });
}

function recordDestination(
  this: { stack: object[] },
  { start, end }: { start: { offset: number }; end: { offset: number } },
): void {
  const node = this.stack.at(-1);
  if (node) destinations.set(node, { start: start.offset, end: end.offset });
}

const parser = unified().use(remarkParse).use(REMARK_PLUGINS).use(recordDestinations);

export const parseMarkdown = (text: string): Root => parser.parse(text);

/** Returns the range of the URL in an image, a link or a definition. Undefined for other nodes and for bare URLs. */
export const destinationOf = (node: Nodes): Range | undefined => destinations.get(node);

/** Returns a node's range. Undefined for nodes that a plugin adds after parsing, e.g. links of bare email addresses. */
export function rangeOf({ position }: Nodes): Range | undefined {
  const [start, end] = [position?.start.offset, position?.end.offset];
  return start === undefined || end === undefined ? undefined : { start, end };
}

/**
 * Returns a text of the same length with only the words and HTML tags of paragraphs, headings and table cells. Matches in
 * it have the same offsets in the original text.
 */
export function runningText(text: string, tree: Root): string {
  const characters = Array<string>(text.length).fill(HIDDEN);
  const hide = ({ start, end }: Range, last = HIDDEN) => {
    characters.fill(HIDDEN, start, end);
    if (end > start) characters[end - 1] = last;
  };
  const hideMatches = ({ start, end }: Range, pattern: RegExp) => {
    for (const { 0: match, index } of text.slice(start, end).matchAll(pattern))
      hide({ start: start + index, end: start + index + match.length });
  };
  visitParents(tree, (node) => {
    const range = rangeOf(node);
    if (!range) return;
    switch (node.type) {
      case "paragraph":
      case "heading":
      case "tableCell":
        for (let at = range.start; at < range.end; at++) characters[at] = text.charAt(at);
        hideMatches(range, ESCAPE);
        break;
      case "link": {
        // A bare URL stays: it may be part of a picture that isn't valid Markdown.
        if (!destinationOf(node) && text[range.start] !== "<") break;
        const [first, last] = [node.children[0], node.children.at(-1)].map(
          (child) => child && rangeOf(child),
        );
        hide({ start: range.start, end: first?.start ?? range.end });
        hide({ start: last?.end ?? range.start, end: range.end }, END_OF_LINK);
        break;
      }
      case "image":
      case "imageReference":
      case "linkReference":
      case "footnoteReference":
        hide(range, END_OF_LINK);
        break;
      case "inlineCode":
        hide(range);
        break;
      case "html":
        hideMatches(range, COMMENT);
        break;
    }
  });
  return characters.join("");
}

/** Applies replacements. Omits one that overlaps another that starts earlier. */
export function applyReplacements(text: string, replacements: Replacement[]): string {
  let result = "";
  let done = 0;
  for (const { start, end, text: replacement } of replacements.toSorted((a, b) => a.start - b.start)) {
    if (start < done) continue;
    result += text.slice(done, start) + replacement;
    done = end;
  }
  return result + text.slice(done);
}
