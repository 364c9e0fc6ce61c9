import type { Element, ElementContent, Root } from "hast";
import { createElement, type ReactElement } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { safeAddress } from "../address.ts";
import { rehypeHeadingAnchors } from "./heading-anchors.ts";
import { highlightTree } from "./highlight.ts";

/** Nesting beyond this is no article but an attack on the reader's browser. */
const DEEPEST_NESTING = 48;

/** Markdown that must not be rendered; its card shows plain text instead. */
export class MarkdownError extends Error {
  override readonly name = "MarkdownError";
}

function languageOf(code: Element): string {
  const classes = code.properties.className;
  const name = Array.isArray(classes)
    ? classes.find((one) => String(one).startsWith("language-"))
    : undefined;
  return name ? String(name).slice("language-".length) : "";
}

function textOf(node: ElementContent): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textOf).join("") : "";
}

/** Colours fenced code, and refuses trees that are nested too deeply. */
function rehypeCode() {
  return (tree: Root) => {
    const visit = (
      node: Root | ElementContent,
      parent: Root | ElementContent | null,
      depth: number,
    ): void => {
      if (depth > DEEPEST_NESTING) throw new MarkdownError("nested too deeply");
      if (node.type !== "element" && node.type !== "root") return;
      if (
        node.type === "element" &&
        node.tagName === "code" &&
        parent?.type === "element" &&
        parent.tagName === "pre"
      ) {
        const highlighted = highlightTree(textOf(node), languageOf(node));
        if (highlighted) node.children = highlighted.children as ElementContent[];
        return;
      }
      for (const child of node.children) visit(child as ElementContent, node, depth + 1);
    };
    visit(tree, null, 0);
  };
}

/** mdast-util-to-hast gives the heading of every text's footnotes this id, and prefixes only the others. */
const FOOTNOTES_HEADING = "footnote-label";

/** Takes the prefix of a text's ids, puts it before the id of the footnotes' heading as well. */
function rehypeFootnotesHeading(prefix: string) {
  return (tree: Root) => {
    const visit = (node: Root | ElementContent): void => {
      if (node.type !== "element" && node.type !== "root") return;
      if (node.type === "element") {
        const { id, ariaDescribedBy } = node.properties;
        if (id === FOOTNOTES_HEADING) node.properties.id = prefix + FOOTNOTES_HEADING;
        if (ariaDescribedBy) node.properties.ariaDescribedBy = [prefix + FOOTNOTES_HEADING];
      }
      for (const child of node.children) visit(child as ElementContent);
    };
    visit(tree);
  };
}

type Alignment = "left" | "right" | "center" | "justify" | "char" | undefined;

/** A cell's alignment as an attribute: a style attribute would need `unsafe-inline` in the content security policy. */
const alignedCell =
  (tag: "td" | "th"): NonNullable<Components["td"]> =>
  ({ node: _node, style, ...rest }) =>
    // The corner of a table with row names heads nothing.
    createElement(rest.children ? tag : "td", { ...rest, align: style?.textAlign as Alignment });

const components: Components = {
  // A card's title is a level-2 heading, so the headings inside an article begin below it.
  h1: ({ node: _node, ...rest }) => createElement("h3", rest),
  h2: ({ node: _node, ...rest }) => createElement("h3", rest),
  h3: ({ node: _node, ...rest }) => createElement("h4", rest),
  h4: ({ node: _node, ...rest }) => createElement("h5", rest),
  h5: ({ node: _node, ...rest }) => createElement("h6", rest),
  a: ({ node: _node, ...rest }) => createElement("a", { ...rest, rel: "noopener noreferrer nofollow ugc" }),
  img: ({ node: _node, alt, ...rest }) =>
    createElement(
      "span",
      { className: "image-frame" },
      createElement("img", {
        ...rest,
        alt: alt ?? "",
        loading: "lazy",
        decoding: "async",
        referrerPolicy: "no-referrer",
      }),
    ),
  pre: ({ node: _node, ...rest }) =>
    createElement("div", { className: "code-frame" }, createElement("pre", { ...rest, tabIndex: 0 })),
  table: ({ node: _node, ...rest }) =>
    createElement("div", { className: "table-scroll", tabIndex: 0 }, createElement("table", rest)),
  td: alignedCell("td"),
  th: alignedCell("th"),
  input: ({ node: _node, checked, ...rest }) =>
    createElement("input", { ...rest, checked, readOnly: true, "aria-label": checked ? "Done" : "To do" }),
};

/** On a page whose title is the only level-1 heading, those of its text begin below it. */
const pageComponents: Components = {
  ...components,
  h1: ({ node: _node, ...rest }) => createElement("h2", rest),
  h2: ({ node: _node, ...rest }) => createElement("h3", rest),
  h3: ({ node: _node, ...rest }) => createElement("h4", rest),
  h4: ({ node: _node, ...rest }) => createElement("h5", rest),
  h5: ({ node: _node, ...rest }) => createElement("h6", rest),
};

/** Takes a text, returns a short name for it, so that the footnotes of two articles on one page do not share ids. */
function shortName(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash >>> 0).toString(36);
}

/**
 * GFM: tables, strikethrough, task lists. `isPage` is for the one text of a page: its headings have anchors. Rendering
 * throws MarkdownError.
 */
export function markdownElement(text: string, isPage = false): ReactElement {
  const prefix = `note-${shortName(text)}-`;
  return createElement(
    Markdown,
    {
      remarkPlugins: [remarkGfm],
      rehypePlugins: [
        rehypeCode,
        [rehypeFootnotesHeading, prefix],
        ...(isPage ? [rehypeHeadingAnchors] : []),
      ],
      remarkRehypeOptions: { clobberPrefix: prefix },
      urlTransform: safeAddress,
      components: isPage ? pageComponents : components,
    },
    text,
  );
}
