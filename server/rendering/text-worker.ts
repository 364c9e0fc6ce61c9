import type { RenderJob } from "../../app/site.ts";
import { highlightCode } from "../../app/ui/markdown/highlight.ts";
import { renderMarkdown } from "../../app/ui/markdown/markdown.ts";
import { errorName } from "../config/error-message.ts";

/** The HTML of a text, or the name of the error that its parser threw: the next try would throw it again. */
export type Rendered = { html: string } | { failure: string };

// The parsers prepare their grammars on first use, and no text's time is for that.
for (const language of ["python", "sql", "javascript", "typescript", "bash", "yaml"])
  highlightCode("x", language);
renderMarkdown("*x*");

export default function render(job: RenderJob): Rendered {
  try {
    return {
      html:
        job.kind === "code"
          ? highlightCode(job.text, job.language)
          : renderMarkdown(job.text, job.kind === "article", job.path),
    };
  } catch (error) {
    return { failure: errorName(error) };
  }
}
