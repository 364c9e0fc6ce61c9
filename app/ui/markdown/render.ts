import { renderToStaticMarkup } from "react-dom/server";
import { markdownElement } from "./markdown.ts";

/** Safe HTML. Throws MarkdownError when the text cannot be rendered. */
export function renderMarkdown(text: string, isPage = false): string {
  return renderToStaticMarkup(markdownElement(text, isPage));
}
