import type { Element, ElementContent, Root, RootContent } from "hast";
import type { Root as MarkdownRoot } from "mdast";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import remarkCjkFriendly from "remark-cjk-friendly";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { visitParents } from "unist-util-visit-parents";

type Parent = Root | Element;

export interface Converted {
  markdown: string;
  /** The number of pictures that only the source can show, for example those in a document's own files. */
  missingPictures: number;
}

const UNSEEN =
  /^(?:script|style|template|noscript|head|title|meta|link|object|iframe|embed|audio|video|svg|select|textarea|button)$/;
/** Word's and Google Docs' comments, and text that only screen readers read. */
const UNSEEN_CLASS =
  /^(?:Mso(?:Comment.*|Del)|mso(?:comanchor|comoff|del)|sr-only|visually-hidden|screen-reader-text)$/i;
const UNSEEN_STYLE =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*(?:all|screen)|mso-element\s*:\s*comment|mso-special-character\s*:\s*comment|font-size\s*:\s*0(?:px|pt|em)?\s*(?:;|$)|opacity\s*:\s*0?(?:\.0*)?\s*(?:;|$))/i;
const COMMENT_LINK = /#(?:_?msocom_|_?msoanchor|cmnt)/i;
const MONOSPACE =
  /(?:monospace|courier|consolas|menlo|monaco|roboto mono|source code|fira code|jetbrains mono)/i;
const IS_CODE = /white-space\s*:\s*pre\s*(?:;|$)/i;
const SAFE_LINK = /^(?:https?:|mailto:)/i;
/** Addresses that work only for the person who copies, or only for a while. */
const PRIVATE_PICTURE = /^(?!https?:)|^https?:\/\/[^/]*\bgoogleusercontent\.com\//i;
const EMPHASIS = /^(?:strong|b|em|i|del|s|code)$/;
const BLOCK = /^(?:p|div|h[1-6]|ul|ol|li|table|blockquote|pre|hr|section|article)$/;

const processor = unified()
  .use(rehypeParse)
  .use(rehypeRemark)
  .use(() => tightenLists)
  .use(remarkCjkFriendly)
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", emphasis: "*", rule: "-", listItemIndent: "one" });

/**
 * Converts HTML of the clipboard to Markdown: what a person saw in the document. Returns null for code and for text
 * without formatting, which is pasted unchanged.
 */
export function htmlToMarkdown(html: string): Converted | null {
  const tree = processor.parse(fragmentOf(html));
  const state = { missingPictures: 0 };
  clean(tree, state);
  if (isOnlyCode(tree)) return null;
  liftWordLists(tree);
  nestLists(tree);
  if (!isFormatted(tree)) return null;
  const markdown = withPlainAddresses(processor.stringify(processor.runSync(tree)).trim());
  return markdown === "" ? null : { markdown, ...state };
}

/** Addresses in a text are links on this site, so they need no escapes. */
const withPlainAddresses = (markdown: string): string =>
  markdown.replace(/(?<=\bhttps?)\\(?=:\/\/)|(?<=\bwww)\\(?=\.)|(?<=[\w.])\\(?=@\w)/g, "");

/** Windows marks the copied part with comments. */
function fragmentOf(html: string): string {
  const start = html.indexOf("<!--StartFragment-->");
  const end = html.lastIndexOf("<!--EndFragment-->");
  const text = start === -1 || end < start ? html : html.slice(start, end);
  // Word marks what only other programs see: `<![if !supportLists]>`.
  return text.replace(/<!\[(?:if [^\]]*|endif)\]>/gi, "");
}

const styleOf = ({ properties }: Element): string => String(properties["style"] ?? "");
const classesOf = ({ properties }: Element): string[] => [properties["className"] ?? []].flat().map(String);
const isElement = <Node extends RootContent | ElementContent>(node: Node): node is Node & Element =>
  node.type === "element";
const childElements = (parent: Parent): Element[] => (parent.children as ElementContent[]).filter(isElement);

function textOf(node: RootContent | ElementContent): string {
  if (node.type === "text") return node.value;
  return isElement(node) ? node.children.map(textOf).join("") : "";
}

function isUnseen(element: Element): boolean {
  const { tagName, properties } = element;
  return (
    UNSEEN.test(tagName) ||
    properties["hidden"] !== undefined ||
    classesOf(element).some((name) => UNSEEN_CLASS.test(name)) ||
    UNSEEN_STYLE.test(styleOf(element)) ||
    COMMENT_LINK.test(String(properties["href"] ?? ""))
  );
}

/** Removes what the person didn't see, and turns styles into elements. */
function clean(parent: Parent, state: { missingPictures: number }): void {
  const children = (parent.children as ElementContent[]).flatMap((node): ElementContent[] => {
    if (node.type === "comment") return [];
    if (!isElement(node)) return [node];
    if (isUnseen(node) || isCommentOfGoogle(node)) return [];
    clean(node, state);
    if (node.tagName === "br" && hasBlocks(parent)) return [];
    if (node.tagName === "img") return pictureOf(node, state);
    if (node.tagName === "a") return linkOf(node);
    if (/^(?:strong|b)$/.test(node.tagName) && /font-weight\s*:\s*(?:normal|[1-5]00)/i.test(styleOf(node)))
      return node.children;
    if (/^h[1-6]$/.test(node.tagName)) return [{ ...node, children: withoutStrong(node.children) }];
    // Google Docs and websites put code or a box into a table of one cell.
    if (node.tagName === "table") return [cellsOf(node).length === 1 ? boxOf(node) : withHeader(node)];
    if (/^(?:p|div)$/.test(node.tagName) && textOf(node).trim() === "" && !hasPicture(node)) return [];
    // Markdown has no such formatting. The converter would write emphasis.
    if (/^(?:u|ins|mark)$/.test(node.tagName)) return node.children;
    if (node.tagName === "input" && node.properties["type"] !== "checkbox") return [];
    if (EMPHASIS.test(node.tagName)) return withSpacesOutside(node);
    return /^(?:span|font)$/.test(node.tagName) ? withSpacesOutside(styled(node)) : [node];
  });
  parent.children = joined(children) as typeof parent.children;
}

/** Marks of Markdown must be next to words: `<b>bold </b>` is `**bold** `. */
function withSpacesOutside(node: Element): ElementContent[] {
  if (!EMPHASIS.test(node.tagName)) return [node];
  // Markdown has no marks around several paragraphs.
  if (hasBlocks(node)) return node.tagName === "code" ? [node] : node.children;
  const [before, after] = [trimEdge(node, "start"), trimEdge(node, "end")];
  const space = (value: string): ElementContent[] => (value === "" ? [] : [{ type: "text", value }]);
  return [...space(before), ...(textOf(node) === "" && !hasPicture(node) ? [] : [node]), ...space(after)];
}

/** Removes the white space at one end of an element's text, and returns it. */
function trimEdge(node: Element, edge: "start" | "end"): string {
  const child = edge === "start" ? node.children[0] : node.children.at(-1);
  if (child === undefined) return "";
  if (isElement(child)) return trimEdge(child, edge);
  if (child.type !== "text") return "";
  const [space = ""] = (edge === "start" ? /^\s+/ : /\s+$/).exec(child.value) ?? [];
  child.value = edge === "start" ? child.value.trimStart() : child.value.trimEnd();
  return space;
}

/** Joins elements that programs split: `<b>a</b><b>b</b>`. */
function joined(children: ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  for (const node of children) {
    const last = result.at(-1);
    const isSame = last && isElement(last) && isElement(node) && last.tagName === node.tagName;
    if (isSame && EMPHASIS.test(node.tagName)) last.children.push(...node.children);
    else result.push(node);
  }
  return result;
}

const hasBlocks = (parent: Parent): boolean =>
  childElements(parent).some(({ tagName }) => BLOCK.test(tagName));

function hasPicture(element: Element): boolean {
  return element.tagName === "img" || childElements(element).some(hasPicture);
}

/** An exported Google document ends with its comments. */
const isCommentOfGoogle = (element: Element): boolean =>
  /^(?:div|p)$/.test(element.tagName) &&
  childElements(element).some(
    (child) =>
      /#cmnt_ref/.test(String(child.properties["href"] ?? "")) ||
      (child.tagName === "p" && isCommentOfGoogle(child)),
  );

function pictureOf(node: Element, state: { missingPictures: number }): ElementContent[] {
  const { src, width, height } = node.properties;
  const isPixel = [width, height].some((size) => size !== undefined && Number(size) <= 1);
  if (isPixel) return [];
  if (!PRIVATE_PICTURE.test(String(src ?? ""))) return [node];
  state.missingPictures++;
  return [];
}

function linkOf(node: Element): ElementContent[] {
  const href = String(node.properties["href"] ?? "");
  if (!SAFE_LINK.test(href) || textOf(node).trim() === "") return node.children;
  // Google Docs' own redirection.
  const [, target] = /^https:\/\/www\.google\.com\/url\?(?:[^#]*&)?q=([^&#]+)/.exec(href) ?? [];
  return [{ ...node, properties: { href: target ? decodeURIComponent(target) : href } }];
}

const withoutStrong = (children: ElementContent[]): ElementContent[] =>
  children.flatMap((node) => {
    if (!isElement(node)) return [node];
    const inner = withoutStrong(node.children);
    return /^(?:strong|b)$/.test(node.tagName) ? inner : [{ ...node, children: inner }];
  });

function cellsOf(parent: Element): Element[] {
  return childElements(parent).flatMap((child) => (/^t[dh]$/.test(child.tagName) ? [child] : cellsOf(child)));
}

function boxOf(table: Element): Element {
  return { type: "element", tagName: "div", properties: {}, children: cellsOf(table)[0]?.children ?? [] };
}

/** A table of Markdown has a header. */
function withHeader(table: Element): Element {
  const cells = cellsOf(table);
  const row = firstRow(table);
  if (row && !cells.some(({ tagName }) => tagName === "th")) {
    for (const cell of cellsOf(row)) cell.tagName = "th";
  }
  return table;
}

function firstRow(parent: Element): Element | undefined {
  for (const child of childElements(parent)) {
    const row = child.tagName === "tr" ? child : firstRow(child);
    if (row) return row;
  }
  return undefined;
}

/** Google Docs and Word Online write formatting as styles of `<span>`. */
function styled(node: Element): Element {
  const style = styleOf(node);
  if (hasBlocks(node) || /mso-list/i.test(style) || textOf(node).trim() === "") return node;
  const tags = [
    ...(/font-weight\s*:\s*(?:bold|[6-9]00)/i.test(style) ? ["strong"] : []),
    ...(/font-style\s*:\s*italic/i.test(style) ? ["em"] : []),
    ...(/text-decoration[^:;]*:[^;]*line-through/i.test(style) ? ["del"] : []),
    ...(/font-family\s*:[^;]*/i.test(style) && MONOSPACE.test(/font-family\s*:[^;]*/i.exec(style)?.[0] ?? "")
      ? ["code"]
      : []),
  ];
  const content: Element = { ...node, tagName: "span", properties: {} };
  return tags.reduceRight<Element>(
    (inner, tagName) => ({ type: "element", tagName, properties: {}, children: [inner] }),
    content,
  );
}

/** Documents put each item into a paragraph, which would separate the items by blank lines. */
function tightenLists(tree: MarkdownRoot): void {
  visitParents(tree, ["list", "listItem"], (node) => {
    if (node.type === "list") node.spread = false;
    if (node.type === "listItem")
      node.spread = node.children.filter(({ type }) => type === "paragraph").length > 1;
  });
}

/** Editors copy code as styled text. Their marks for keywords aren't formatting. */
function isOnlyCode(parent: Parent): boolean {
  return parent.children.every((node) => {
    if (!isElement(node)) return textOf(node).trim() === "";
    if (/^(?:pre|code|samp|kbd)$/.test(node.tagName) || IS_CODE.test(styleOf(node))) return true;
    return textOf(node).trim() === "" || (node.children.length > 0 && isOnlyCode(node));
  });
}

function isFormatted(parent: Parent): boolean {
  return childElements(parent).some(
    (element) =>
      /^(?:h[1-6]|strong|b|em|i|del|s|a|ul|ol|table|blockquote|hr|code|pre|img)$/.test(element.tagName) ||
      isFormatted(element),
  );
}

/** Word writes the items of lists as paragraphs, with their level in a style. */
function liftWordLists(parent: Parent): void {
  for (const child of childElements(parent)) liftWordLists(child);
  const result: (RootContent | ElementContent)[] = [];
  let open: { level: number; list: Element }[] = [];
  for (const node of parent.children) {
    const level = isElement(node) ? wordLevel(node) : null;
    if (level === null) {
      if (isElement(node) || textOf(node).trim() !== "") open = [];
      result.push(node);
      continue;
    }
    const { item, isOrdered } = wordItem(node as Element);
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    const last = open.at(-1);
    const tagName = isOrdered ? "ol" : "ul";
    if (last?.level === level && last.list.tagName === tagName) last.list.children.push(item);
    else {
      const list: Element = {
        type: "element",
        tagName,
        properties: {},
        children: [item],
      };
      if (last?.level === level) open.pop();
      const above = open.at(-1)?.list.children.at(-1);
      if (above && isElement(above)) above.children.push(list);
      else result.push(list);
      open.push({ level, list });
    }
  }
  parent.children = result as typeof parent.children;
}

function wordLevel(node: Element): number | null {
  const [, level] = /mso-list\s*:\s*l\d+ level(\d)/i.exec(styleOf(node)) ?? [];
  return level && /^(?:p|h[1-6]|div)$/.test(node.tagName) ? Number(level) : null;
}

function wordItem(node: Element): { item: Element; isOrdered: boolean } {
  let marker = "";
  const keep = (children: ElementContent[]): ElementContent[] =>
    children.flatMap((child): ElementContent[] => {
      if (!isElement(child)) return [child];
      if (/mso-list\s*:\s*ignore/i.test(styleOf(child))) {
        marker += textOf(child);
        return [];
      }
      return [{ ...child, children: keep(child.children) }];
    });
  const children = keep(node.children);
  const isOrdered = /^\s*\(?[\da-z]{1,5}[.)]/i.test(marker);
  return { item: { type: "element", tagName: "li", properties: {}, children }, isOrdered };
}

/** Google Docs writes a list within a list next to its item, or without an item. */
function nestLists(parent: Parent): void {
  for (const child of childElements(parent)) nestLists(child);
  if (parent.type === "root" || !/^[uo]l$/.test(parent.tagName)) return;
  const children: ElementContent[] = [];
  for (const node of parent.children) {
    const last = children.findLast(isElement);
    const isList = isElement(node) && /^[uo]l$/.test(node.tagName);
    if (!isList) children.push(node);
    else if (last?.tagName === "li") last.children.push(node);
    else children.push({ type: "element", tagName: "li", properties: {}, children: [node] });
  }
  parent.children = children;
}
