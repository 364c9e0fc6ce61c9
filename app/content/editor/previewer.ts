/** Texts that take longer are shown unformatted. The Markdown parsers need quadratic time in the worst case. */
const RENDER_TIMEOUT_MS = 1_000;
/** The first render takes longer, because a new worker has to load the Markdown parsers. */
const FIRST_RENDER_TIMEOUT_MS = 10_000;

export type Previewer = ReturnType<typeof createPreviewer>;

export type PreviewWorker = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

/**
 * Creates a previewer that renders Markdown in a worker, one text at a time. It calls `onPreview` with null instead of
 * HTML if rendering fails or takes too long.
 */
export function createPreviewer(
  startWorker: () => PreviewWorker,
  onPreview: (text: string, html: string | null) => void,
) {
  let worker: PreviewWorker | null = null;
  let current: string | null = null;
  let waiting: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function startRender(text: string) {
    const isFresh = worker === null;
    worker ??= startWorker();
    worker.onmessage = ({ data }: MessageEvent<string | null>) => finish(data);
    worker.onerror = replaceWorker;
    current = text;
    worker.postMessage(text);
    timer = setTimeout(replaceWorker, isFresh ? FIRST_RENDER_TIMEOUT_MS : RENDER_TIMEOUT_MS);
  }

  function finish(html: string | null) {
    clearTimeout(timer);
    const text = current;
    current = null;
    if (text !== null) onPreview(text, html);
    const next = waiting;
    waiting = null;
    if (next !== null) startRender(next);
  }

  function replaceWorker() {
    worker?.terminate();
    worker = null;
    finish(null);
  }

  return {
    show(text: string) {
      if (current === null) startRender(text);
      else waiting = text;
    },
    close() {
      clearTimeout(timer);
      worker?.terminate();
      worker = null;
      current = null;
      waiting = null;
    },
  };
}
