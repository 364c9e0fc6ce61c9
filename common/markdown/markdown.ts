import type { Root } from "hast";
import { toHtml } from "hast-util-to-html";
import type { Html } from "mdast";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { rehypeElements } from "./elements.ts";
import { rehypeHeadings } from "./headings.ts";
import { rehypePictures } from "./rehype-pictures.ts";
import { rehypeFootnotesHeading, rehypeText } from "./rehype-text.ts";
import { REMARK_PLUGINS } from "./remark-plugins.ts";

/** Shows HTML in Markdown as text. */
const htmlAsText = (_: unknown, { value }: Html) => ({ type: "text" as const, value });

/**
 * Renders Markdown to safe HTML. `path` is the path of the item's page, or "" in a preview. On the page itself
 * (`isPage`), headings get anchors, and three or more get a table of contents. Throws MarkdownError if the text is
 * nested too deeply.
 */
export function renderMarkdown(text: string, isPage = false, path = ""): string {
  const prefix = `note-${path.split("/").at(-1)?.slice(-12) || "preview"}-`;
  // The text's headings start one level below the title, which is an `h1` on an item's page and an `h2` in a card.
  const top = isPage ? 2 : 3;
  const processor = unified()
    .use(remarkParse)
    .use(REMARK_PLUGINS)
    .use(remarkRehype, {
      clobberPrefix: prefix,
      footnoteLabelTagName: `h${top}`,
      footnoteLabelProperties: {},
      handlers: { html: htmlAsText },
    })
    .use(rehypePictures, { isPage })
    .use(rehypeText)
    .use(rehypeFootnotesHeading, prefix)
    .use(rehypeHeadings, top, isPage, path)
    .use(rehypeElements);
  const tree: Root = processor.runSync(processor.parse(text));
  // Named references (`&lt;`) are the ones that `decodeEntities` knows.
  return toHtml(tree, { characterReferences: { useNamedReferences: true } });
}
