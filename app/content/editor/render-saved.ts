import type { ContentRow } from "../../../common/data/schema.ts";
import { renderJob } from "../../../common/kinds/kind-definition.ts";
import type { ContentKind } from "../content-kind.ts";
import { cutMarkdown } from "../list/cut-text.ts";
import type { MarkdownRequest } from "./preview-worker.ts";

/** Long enough for 500,000 characters on a slow phone. Then the author waits for the server, like other readers. */
const TIMEOUT_MS = 20_000;

/**
 * Renders the Markdown of a saved item as the server does, in a worker. Resolves to null if the item has no Markdown, or if
 * rendering fails or takes too long.
 */
export async function renderSaved(
  kind: ContentKind,
  row: ContentRow,
  isPage: boolean,
): Promise<string | null> {
  const job = renderJob(kind, row, isPage);
  if (!job || job.format === "code") return null;
  const text = (isPage ? null : cutMarkdown(job.text)) ?? job.text;
  const request: MarkdownRequest = { text, isPage, path: job.path };
  const worker = new Worker(new URL("./preview-worker.ts", import.meta.url), { type: "module" });
  const result = Promise.withResolvers<string | null>();
  const timer = setTimeout(() => result.resolve(null), TIMEOUT_MS);
  worker.onmessage = ({ data }: MessageEvent<string | null>) => result.resolve(data);
  worker.onerror = () => result.resolve(null);
  worker.postMessage(request);
  const html = await result.promise;
  clearTimeout(timer);
  worker.terminate();
  return html;
}
