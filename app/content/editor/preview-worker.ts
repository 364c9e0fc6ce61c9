import { renderMarkdown } from "../../../common/markdown/markdown.ts";

// Runs in a worker, so that rendering never blocks typing. Posts null if rendering fails.
addEventListener("message", ({ data }: MessageEvent<string>) => {
  let html: string | null = null;
  try {
    html = renderMarkdown(data);
  } catch {}
  postMessage(html);
});
