import { parentPort } from "node:worker_threads";
import type { RenderJob } from "../../app/site.ts";
import { highlightCode } from "../../app/ui/markdown/highlight.ts";
import { renderMarkdown } from "../../app/ui/markdown/render.ts";

parentPort?.on("message", ({ id, job }: { id: number; job: RenderJob }) => {
  try {
    const html = job.kind === "markdown" ? renderMarkdown(job.text) : highlightCode(job.text, job.language);
    parentPort?.postMessage({ id, html });
  } catch (error) {
    parentPort?.postMessage({ id, failure: error instanceof Error ? error.name : "unknown" });
  }
});

// The first message says that the parsers are loaded.
parentPort?.postMessage("ready");
