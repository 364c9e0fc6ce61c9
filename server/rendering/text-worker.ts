import { parentPort } from "node:worker_threads";
import { highlightCode } from "../../common/markdown/highlight.ts";
import { renderMarkdown } from "../../common/markdown/markdown.ts";
import type { RenderJob } from "../../common/page-services.ts";
import { errorName } from "../config/error-message.ts";

/** The text's HTML, or the name of the parser's error. A retry would fail in the same way. */
export type Rendered = { html: string } | { failure: string };

export interface FromWorker {
  rendered: Rendered;
  /** The thread's total CPU time so far. */
  cpuMs: number;
}

// Warm up: the parsers prepare their grammars on first use, and no job should be charged for that time.
for (const language of ["python", "sql", "javascript", "typescript", "bash", "yaml"])
  highlightCode("x", language);
renderMarkdown("*x*");

function render(job: RenderJob): Rendered {
  try {
    return {
      html:
        job.format === "code"
          ? highlightCode(job.text, job.language)
          : renderMarkdown(job.text, job.format === "markdown-page", job.path),
    };
  } catch (error) {
    return { failure: errorName(error) };
  }
}

function send(rendered: Rendered): void {
  const { user, system } = process.threadCpuUsage();
  parentPort?.postMessage({ rendered, cpuMs: (user + system) / 1_000 } satisfies FromWorker);
}

parentPort?.on("message", (job: RenderJob) => send(render(job)));
// The first message means that the parsers are loaded.
send({ html: "" });
