import { renderMarkdown } from "../../ui/markdown/markdown.ts";

// Runs in a worker, so that rendering never blocks typing. Posts null for a text that cannot be rendered.
addEventListener("message", ({ data }: MessageEvent<string>) => {
  let html: string | null = null;
  try {
    html = renderMarkdown(data);
  } catch {}
  postMessage(html);
});
