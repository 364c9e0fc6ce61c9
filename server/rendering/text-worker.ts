import { highlightCode } from "../../common/markdown/highlight.ts";
import { renderMarkdown } from "../../common/markdown/markdown.ts";
import type { RenderJob } from "../../common/page-services.ts";
import { errorName } from "../config/error-message.ts";
import { handleJobs } from "./handle-jobs.ts";

/** The text's HTML, or the name of the parser's error. A retry would fail in the same way. */
export type Rendered = { html: string } | { failure: string };

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

handleJobs(render);
