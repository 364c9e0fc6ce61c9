import { renderMarkdown } from "../../../common/markdown/markdown.ts";

export interface MarkdownRequest {
  text: string;
  isPage: boolean;
  path: string;
}

// Runs in a worker, so that rendering never blocks typing. Posts null if rendering fails. A string is a preview's text.
addEventListener("message", ({ data }: MessageEvent<string | MarkdownRequest>) => {
  const { text, isPage, path } = typeof data === "string" ? { text: data, isPage: false, path: "" } : data;
  let html: string | null = null;
  try {
    html = renderMarkdown(text, isPage, path);
  } catch {}
  postMessage(html);
});
