/** Slower texts are shown as plain text, as in the card. The parsers' worst cases take quadratic time. */
const RENDER_TIMEOUT_MS = 1_000;
/** A new worker has to load the parsers first. */
const FIRST_RENDER_TIMEOUT_MS = 10_000;

export type Previewer = ReturnType<typeof createPreviewer>;

export type PreviewWorker = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

/** `onPreview` gets null for a text that cannot be rendered or takes too long. */
export function createPreviewer(
  startWorker: () => PreviewWorker,
  onPreview: (text: string, html: string | null) => void,
) {
  let worker: PreviewWorker | null = null;
  let current: string | null = null;
  let waiting: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function begin(text: string) {
    const isFresh = worker === null;
    worker ??= startWorker();
    worker.onmessage = ({ data }: MessageEvent<string | null>) => finish(data);
    worker.onerror = replace;
    current = text;
    worker.postMessage(text);
    timer = setTimeout(replace, isFresh ? FIRST_RENDER_TIMEOUT_MS : RENDER_TIMEOUT_MS);
  }

  function finish(html: string | null) {
    clearTimeout(timer);
    const text = current;
    current = null;
    if (text !== null) onPreview(text, html);
    const next = waiting;
    waiting = null;
    if (next !== null) begin(next);
  }

  function replace() {
    worker?.terminate();
    worker = null;
    finish(null);
  }

  return {
    show(text: string) {
      if (current === null) begin(text);
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
