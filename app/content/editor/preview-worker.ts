import { renderMarkdown } from "../../ui/markdown/markdown.ts";

// Runs beside the page, so that no text holds up the typing. Answers null for what cannot be rendered.
addEventListener("message", ({ data }: MessageEvent<string>) => {
  let html: string | null = null;
  try {
    html = renderMarkdown(data);
  } catch {}
  postMessage(html);
});
