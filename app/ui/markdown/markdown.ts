import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown, { type Components, type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import { safeAddress } from "../address.ts";
import { CopyCode } from "../copy-code.ts";
import { rehypeHeadings } from "./headings.ts";
import { rehypeFootnotesHeading, rehypeText } from "./rehype-text.ts";

const components: Components = {
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
  table: ({ node: _node, dir, ...rest }) =>
    createElement("div", { className: "table-scroll", dir }, createElement("table", rest)),
  input: ({ node: _node, checked, ...rest }) =>
    createElement("input", { ...rest, checked, "aria-label": checked ? "Done" : "To do" }),
};

function shortName(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash >>> 0).toString(36);
}

/** As in a card. The card may be on the same page, and no id may be there twice. */
export const renderPreview = (text: string): string => renderMarkdown(text, false, "preview");

/**
 * Safe HTML. `isPage` is for the only text of a page: its headings have anchors.
 * Throws MarkdownError when the text cannot be rendered.
 */
export function renderMarkdown(text: string, isPage = false, name = shortName(text)): string {
  const prefix = `note-${name}-`;
  // The title of a page is level 1, a card's is 2.
  const top = isPage ? 2 : 3;
  const options: Options = {
    remarkPlugins: [remarkGfm],
    rehypePlugins: [rehypeText, [rehypeFootnotesHeading, prefix], [rehypeHeadings, top, isPage]],
    remarkRehypeOptions: { clobberPrefix: prefix, footnoteLabelTagName: `h${top}` },
    urlTransform: safeAddress,
    components,
  };
  return renderToStaticMarkup(createElement(Markdown, options, text));
}
