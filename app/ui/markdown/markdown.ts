import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown, { type Components, type Options } from "react-markdown";
import { safeAddress } from "../address.ts";
import { CopyCode } from "../copy-code.ts";
import { rehypeHeadings } from "./headings.ts";
import { rehypePictures } from "./rehype-pictures.ts";
import { rehypeFootnotesHeading, rehypeText } from "./rehype-text.ts";
import { REMARK_PLUGINS } from "./remark-plugins.ts";

/** Code and tables are tab stops, because they may scroll. `useScrollStops` removes the tab stops of those that don't. */
const components: Components = {
  a: ({ node: _node, ...rest }) => createElement("a", { ...rest, rel: "noopener noreferrer nofollow ugc" }),
  img: ({ node: _node, alt, loading = "lazy", decoding = "async", ...rest }) => {
    const properties = { ...rest, alt: alt ?? "", loading, decoding, referrerPolicy: "no-referrer" } as const;
    const image = createElement("img", properties);
    // Without `picture`, React would add a preload link for an eager `img` to the article's HTML.
    return loading === "eager" ? createElement("picture", null, image) : image;
  },
  pre: ({ node: _node, ...rest }) =>
    createElement(
      "div",
      { className: "code-frame" },
      createElement("pre", { ...rest, tabIndex: 0 }),
      createElement(CopyCode),
    ),
  table: ({ node: _node, dir, ...rest }) =>
    createElement("div", { className: "table-scroll", dir, tabIndex: 0 }, createElement("table", rest)),
  input: ({ node: _node, checked, ...rest }) =>
    createElement("input", { ...rest, checked, "aria-label": checked ? "Done" : "To do" }),
};

/**
 * Renders Markdown to safe HTML. `path` is the path of the item's page, or "" in a preview. On the page itself
 * (`isPage`), headings get anchors, and three or more get a table of contents. Throws MarkdownError if the text is
 * nested too deeply.
 */
export function renderMarkdown(text: string, isPage = false, path = ""): string {
  const prefix = `note-${path.split("/").at(-1) || "preview"}-`;
  // The text's headings start one level below the title, which is an `h1` on an item's page and an `h2` in a card.
  const top = isPage ? 2 : 3;
  const options: Options = {
    remarkPlugins: REMARK_PLUGINS,
    rehypePlugins: [
      [rehypePictures, { isPage }],
      rehypeText,
      [rehypeFootnotesHeading, prefix],
      [rehypeHeadings, top, isPage, path],
    ],
    remarkRehypeOptions: {
      clobberPrefix: prefix,
      footnoteLabelTagName: `h${top}`,
      footnoteLabelProperties: {},
    },
    urlTransform: safeAddress,
    components,
  };
  return renderToStaticMarkup(createElement(Markdown, options, text));
}
