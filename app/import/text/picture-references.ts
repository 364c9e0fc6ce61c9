import type { Html, Nodes, Parents } from "mdast";
import { visitParents } from "unist-util-visit-parents";
import {
  applyReplacements,
  BLANK_LINE,
  COMMENT,
  destinationOf,
  HIDDEN,
  parseMarkdown,
  type Range,
  type Replacement,
  rangeOf,
  runningText,
} from "./markdown-source.ts";
import { attribute, htmlPictures, LINK_TAG, quoteTag, type Token, templateTags, tokensOf } from "./tags.ts";

/** Returns a picture's new URL, or undefined to leave the reference unchanged. */
export type Resolve = (address: string, isPicture: boolean) => string | undefined;

/** A place in a Markdown text that may show a picture or link to one. */
interface Reference extends Range {
  /** Returns the new text, or undefined if nothing changes. */
  write(resolve: Resolve): string | undefined;
  /** The address of a picture without an alternative text. */
  undescribed?: string;
  /** The template tag at this place, which readers see as text unless it becomes a picture. */
  tag?: string;
}

export interface PictureReferences {
  /** Returns the text with the new URLs. Every byte outside the references stays. */
  replace(resolve: Resolve): string;
  /** Returns the template tags that `replace` would leave in the text. */
  remainingTags(resolve: Resolve): string[];
  /** The addresses of pictures without an alternative text. */
  undescribed: string[];
}

const MAY_HAVE_REFERENCES = /!\[|\]\s*\(|\]:|<img\s|\{\{|\{%/i;
/** Obsidian's syntax: `![[plan.png|A plan|300]]`. */
const EMBED = /!\[\[([^[\]\n]+)\]\]/g;
/** The address of a picture or link that isn't valid Markdown, because it contains spaces or a template's braces. */
const LOOSE_ADDRESS =
  /\[(?=((?:[^[\]\n]|\[[^[\]\n]*\])*\]\()((?:\{\{[^{}\n]*\}\}|[^()\n"{])+)(?:"[^"\n]*"[ \t]*)?\))/g;
/** HTML blocks that continue after a blank line, so that Markdown in them would stay text (CommonMark, 4.6). */
const UNBREAKABLE_BLOCK = /^\s*<(?:script|pre|style|textarea|[!?])/i;
const BLOCK_PARENTS: ReadonlySet<Parents["type"]> = new Set([
  "root",
  "blockquote",
  "listItem",
  "footnoteDefinition",
]);
/** Attributes of template tags that are not the picture's address. */
const OTHER_ATTRIBUTES = /^(?:alt|title|caption|description|link|href|class|width|height|align)$/;

/** Finds the pictures in a Markdown text. Code, comments and escaped text contain none. */
export function findPictureReferences(text: string): PictureReferences {
  const references = MAY_HAVE_REFERENCES.test(text) ? referencesIn(text) : [];
  return {
    undescribed: references.flatMap(({ undescribed }) => undescribed ?? []),
    replace: (resolve) => applyReplacements(text, written(references, resolve)),
    remainingTags: (resolve) =>
      references.flatMap(({ tag, write }) => (tag && write(resolve) === undefined ? [tag] : [])),
  };
}

function written(references: Reference[], resolve: Resolve): Replacement[] {
  return references.flatMap(({ start, end, write }) => {
    const text = write(resolve);
    return text === undefined ? [] : [{ start, end, text }];
  });
}

function referencesIn(text: string): Reference[] {
  const tree = parseMarkdown(text);
  const references = inRunningText(text, runningText(text, tree));
  visitParents(tree, (node, ancestors) => {
    const destination = destinationOf(node);
    if (destination) references.push(atDestination(node, destination));
    else if (node.type === "html" && BLOCK_PARENTS.has(ancestors.at(-1)?.type ?? "root")) {
      references.push(...inHtmlBlock(text, node));
    }
  });
  return references;
}

function atDestination(node: Nodes, range: Range): Reference {
  const url = "url" in node ? node.url : "";
  return {
    ...range,
    ...(node.type === "image" && !node.alt?.trim() && { undescribed: url }),
    write: (resolve) => resolve(plainAddress(url), node.type === "image"),
  };
}

function inRunningText(text: string, running: string): Reference[] {
  const references: Reference[] = [];
  for (const { 0: match, index } of running.matchAll(EMBED)) {
    const [name = "", ...labels] = text.slice(index + 3, index + match.length - 2).split(/\\?\|/);
    // A number is the picture's width, not its description.
    const alt = labels.find((label) => !/^\s*\d+(?:x\d+)?\s*$/.test(label)) ?? "";
    references.push({
      start: index,
      end: index + match.length,
      write: (resolve) => picture(alt, resolve(name.replace(/#.*$/, "").trim(), false)),
    });
  }
  for (const { 1: label = "", 2: found = "", index } of running.matchAll(LOOSE_ADDRESS)) {
    const start = index + 1 + label.length + (found.length - found.trimStart().length);
    const range = { start, end: start + found.trim().length };
    const address = plainAddress(text.slice(range.start, range.end));
    references.push({ ...range, write: (resolve) => resolve(address, false) });
  }
  for (const each of htmlPictures(running)) references.push(htmlReference(text, each));
  const withoutTargets = running.replace(LINK_TAG, (tag) => HIDDEN.repeat(tag.length));
  for (const range of templateTags(withoutTargets)) {
    if (!BLANK_LINE.test(text.slice(range.start, range.end))) references.push(tagReference(text, range));
  }
  return references;
}

function htmlReference(
  text: string,
  { picture: range, link, ...whole }: ReturnType<typeof htmlPictures>[number],
): Reference {
  const tokens = tokensOf(text.slice(range.start, range.end));
  const href = link ? attribute(tokensOf(text.slice(link.start, link.end)), "href") : "";
  const isDescribed = attribute(tokens, "alt", "title").trim() !== "";
  return {
    ...whole,
    ...(!isDescribed && { undescribed: attribute(tokens, "src") }),
    write(resolve) {
      const address = resolve(plainAddress(attribute(tokens, "src")), true);
      const image = picture(attribute(tokens, "alt", "title"), address);
      if (image === undefined || href === "") return image;
      const target = resolve(plainAddress(href), false) ?? href;
      return `[${image}](${/[\s()<>]/.test(target) ? `<${target.replace(/[<>\n]/g, encodeURIComponent)}>` : target})`;
    },
  };
}

/** A shortcode that shows a picture, e.g. `{{< figure src="plan.png" >}}` or `{% asset_img plan.png The plan %}`. */
function tagReference(text: string, { start, end }: Range): Reference {
  const tag = text.slice(start, end);
  const [, ...tokens] = tokensOf(tag);
  return {
    start,
    end,
    tag: quoteTag(tag),
    write(resolve) {
      for (const [index, { name, value }] of tokens.entries()) {
        if (OTHER_ATTRIBUTES.test(name)) continue;
        const address = resolve(plainAddress(value), false);
        if (address !== undefined) return picture(describe(tokens, index), address);
      }
      return undefined;
    },
  };
}

/** Returns a tag's description of its picture: an attribute, or the words after the address and the size. */
function describe(tokens: Token[], index: number): string {
  const words = tokens
    .slice(index + 1)
    .filter(({ name, value }) => name === "" && !/^\d+(?:px|%)?$/.test(value));
  // Hexo has a title and an alternative text in one pair of quotes: '"title" "alt"'.
  const [, quoted] = /"([^"]*)"\s*$/.exec(words.at(-1)?.value ?? "") ?? [];
  return (
    attribute(tokens, "alt", "title", "caption", "description") ||
    (quoted ?? words.map(({ value }) => value).join(" "))
  );
}

function inHtmlBlock(text: string, node: Html): Reference[] {
  const range = rangeOf(node);
  if (!range) return [];
  const block = text.slice(range.start, range.end);
  if (block.startsWith("<!--")) return afterComment(block, range.start);
  if (UNBREAKABLE_BLOCK.test(block)) return [];
  const html = block.replace(COMMENT, (comment) => HIDDEN.repeat(comment.length));
  const pictures = htmlPictures(html).map((each) => htmlReference(block, each));
  const lineStart = text.lastIndexOf("\n", range.start - 1) + 1;
  const prefix = text.slice(lineStart, range.start).replace(/[^\s>]/g, " ");
  const tags = templateTags(html).map(({ start, end }) => ({
    start: range.end,
    end: range.end,
    tag: quoteTag(block.slice(start, end)),
    write: () => undefined,
  }));
  const undescribed = pictures.map((each) => ({
    start: range.end,
    end: range.end,
    ...(each.undescribed !== undefined && { undescribed: each.undescribed }),
    write: () => undefined,
  }));
  return [
    { ...range, write: (resolve) => splitBlock(block, prefix, written(pictures, resolve)) },
    ...undescribed,
    ...tags,
  ];
}

/** This site renders the text after a comment as Markdown, although CommonMark counts it as part of the HTML block. */
function afterComment(block: string, offset: number): Reference[] {
  const length = block.lastIndexOf("-->") + 3;
  if (length < 3) return [];
  return referencesIn(block.slice(length)).map((reference) => ({
    ...reference,
    start: reference.start + offset + length,
    end: reference.end + offset + length,
  }));
}

/** Puts pictures between the parts of an HTML block, with blank lines around them. `prefix` begins the block's lines. */
function splitBlock(block: string, prefix: string, pictures: Replacement[]): string | undefined {
  if (pictures.length === 0) return undefined;
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, text } of pictures) {
    parts.push(block.slice(done, start), text);
    done = end;
  }
  parts.push(block.slice(done));
  const newline = block.includes("\r\n") ? "\r\n" : "\n";
  return parts
    .map((part) => part.replace(/^[ \t]*(?:\r?\n[ \t>]*)*|\s*(?:\n[ \t>]*)*$/g, ""))
    .filter((part) => part !== "")
    .join(`${newline}${prefix.trimEnd()}${newline}${prefix}`);
}

function picture(alt: string, address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const text = alt
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<|~]/g, "\\$&");
  return `![${text}](${address})`;
}

/** Turns `{{ "a.png" | relative_url }}` and `{{ site.baseurl }}a.png` into `a.png`. */
function plainAddress(address: string): string {
  return address
    .replace(/\{\{\s*["']([^"']*)["'][^{}]*\}\}/g, "$1")
    .replace(/\{\{[^{}]*\}\}/g, "")
    .trim();
}
