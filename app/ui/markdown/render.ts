import { renderToStaticMarkup } from "react-dom/server";
import { markdownElement } from "./markdown.ts";

/** Takes Markdown, returns HTML that is safe to show. Throws when the text cannot be rendered. */
export function renderMarkdown(text: string, isPage = false): string {
  return renderToStaticMarkup(markdownElement(text, isPage));
}
