import type { Element, ElementContent, Parents, Root } from "hast";
import { visitParents } from "unist-util-visit-parents";
import { highlightTree } from "./highlight.ts";

/** Real articles never nest this deeply. Deeper nesting is treated as an attack on the reader's browser. */
const MAX_NESTING = 48;

/** Thrown for Markdown that is nested too deeply. Callers show the Markdown as plain text instead. */
export class MarkdownError extends Error {
  override readonly name = "MarkdownError";
}

export function textOf(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textOf).join("") : "";
}

export function addClass(element: Element, name: string): void {
  const known = element.properties.className;
  element.properties.className = [...(Array.isArray(known) ? known : []), name];
}

export function rehypeText() {
  return (tree: Root) => {
    visitParents(tree, (element, parents) => {
      if (parents.length > MAX_NESTING) throw new MarkdownError("nested too deeply");
      if (element.type !== "element") return;
      if (element.tagName === "code") formatCode(element, parents.at(-1));
      else if (element.tagName === "table") addTableHeadings(element);
      else if (element.tagName === "td" || element.tagName === "th") alignCell(element);
      else if (element.tagName === "p") framePicture(element);
    });
    // Set `dir` only on the outermost blocks, because `dir=auto` ignores text in descendants that have a `dir`.
    for (const block of tree.children) {
      if (block.type !== "element" || block.tagName === "hr") continue;
      block.properties.dir ??= block.tagName === "pre" ? "ltr" : "auto";
    }
  };
}

function formatCode(code: Element, parent: Parents | undefined): void {
  code.properties.dir = "ltr";
  if (parent?.type !== "element" || parent.tagName !== "pre") return;
  const classes = code.properties.className;
  const language = (Array.isArray(classes) ? classes : [])
    .map(String)
    .find((name) => /^language-/.test(name));
  const highlighted = language && highlightTree(textOf(code), language.slice("language-".length));
  if (highlighted) code.children = highlighted.children as ElementContent[];
}

function addTableHeadings(table: Element): void {
  const rows: Element[] = [];
  visitParents(table, { tagName: "tr" }, (row: Element) => void rows.push(row));
  const [head, ...body] = rows.map((row) => row.children.filter((cell) => cell.type === "element"));
  for (const cell of head ?? []) cell.properties.scope = "col";
  const corner = head?.[0];
  if (!corner || corner.children.length > 0) return;
  corner.tagName = "td";
  delete corner.properties.scope;
  for (const [first] of body) {
    if (!first) continue;
    first.tagName = "th";
    first.properties.scope = "row";
  }
}

/** Replaces `align`, which is obsolete, with a class. The Content Security Policy forbids inline styles. */
function alignCell(cell: Element): void {
  const { align } = cell.properties;
  delete cell.properties.align;
  if (align) addClass(cell, `align-${String(align)}`);
}

/** Marks a paragraph that consists of one picture of unknown size, which gets a frame until it has loaded. */
function framePicture(paragraph: Element): void {
  const only = onlyChild(paragraph);
  const picture = only?.tagName === "a" ? onlyChild(only) : only;
  if (picture?.tagName === "img" && picture.properties.width === undefined)
    addClass(paragraph, "image-frame");
}

/** Returns the only child if it is an element. Ignores white space. */
function onlyChild({ children }: Element): Element | undefined {
  const [only, ...others] = children.filter((child) => child.type !== "text" || child.value.trim() !== "");
  return only?.type === "element" && others.length === 0 ? only : undefined;
}

/** Not prefixed by mdast-util-to-hast, unlike the other ids in footnotes, so two articles in a list would share it. */
const FOOTNOTES_HEADING = "footnote-label";

export function rehypeFootnotesHeading(prefix: string) {
  return (tree: Root) =>
    visitParents(tree, "element", ({ properties }) => {
      // The heading is always English. With its own `dir`, it does not affect the direction of the footnotes.
      if (properties.id === FOOTNOTES_HEADING)
        Object.assign(properties, { id: prefix + FOOTNOTES_HEADING, dir: "ltr" });
      if (properties.ariaDescribedBy) properties.ariaDescribedBy = [prefix + FOOTNOTES_HEADING];
    });
}
