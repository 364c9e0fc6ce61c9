import { createElement, type ReactElement } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { safeAddress } from "../address.ts";
import { CopyCode } from "../copy-code.ts";
import { rehypeHeadingAnchors } from "./heading-anchors.ts";
import { rehypeFootnotesHeading, rehypeText } from "./rehype-text.ts";

export { MarkdownError } from "./rehype-text.ts";

const heading =
  (level: number, depth: number): NonNullable<Components["h1"]> =>
  ({ node: _node, className, ...rest }) =>
    createElement(`h${Math.min(level, 6)}`, {
      ...rest,
      className: `${className ?? ""} depth-${depth}`.trim(),
    });

function headings(levels: readonly number[]): Components {
  return Object.fromEntries(levels.map((level, i) => [`h${i + 1}`, heading(level, i + 1)]));
}

const components: Components = {
  // A card's title is level 2.
  ...headings([3, 3, 4, 5, 6, 6]),
  a: ({ node: _node, ...rest }) => createElement("a", { ...rest, rel: "noopener noreferrer nofollow ugc" }),
  img: ({ node: _node, alt, ...rest }) =>
    createElement("img", {
      ...rest,
      alt: alt ?? "",
      loading: "lazy",
      decoding: "async",
      referrerPolicy: "no-referrer",
    }),
  pre: ({ node: _node, ...rest }) =>
    createElement("div", { className: "code-frame" }, createElement("pre", rest), createElement(CopyCode)),
  table: ({ node: _node, ...rest }) =>
    createElement("div", { className: "table-scroll" }, createElement("table", rest)),
  input: ({ node: _node, checked, ...rest }) =>
    createElement("input", { ...rest, checked, "aria-label": checked ? "Done" : "To do" }),
};

const pageComponents: Components = { ...components, ...headings([2, 3, 4, 5, 6, 6]) };

function shortName(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash >>> 0).toString(36);
}

/** `isPage` is for the only text of a page: its headings have anchors. Rendering throws MarkdownError. */
export function markdownElement(text: string, isPage = false): ReactElement {
  const prefix = `note-${shortName(text)}-`;
  return createElement(
    Markdown,
    {
      remarkPlugins: [remarkGfm],
      rehypePlugins: [
        rehypeText,
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
