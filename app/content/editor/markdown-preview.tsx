import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPreviewer, type Previewer } from "./previewer.ts";

/** Longer texts have no preview, because showing it would slow the page down while the member types. */
const MAX_CHARACTERS = 100_000;
const DEBOUNCE_MS = 120;

export default function MarkdownPreview({ text }: { text: string }) {
  const [preview, setPreview] = useState<{ text: string; html: string | null } | null>(null);
  const previewer = useRef<Previewer>(null);
  const isShown = text.length <= MAX_CHARACTERS;

  useEffect(() => {
    const created = createPreviewer(
      () => new Worker(new URL("./preview-worker.ts", import.meta.url), { type: "module" }),
      (rendered, html) => setPreview({ text: rendered, html }),
    );
    previewer.current = created;
    return () => created.close();
  }, []);

  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => previewer.current?.show(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, isShown]);

  const content = useRef<HTMLDivElement>(null);
  // Tab skips the preview, and its links open in a new tab, so that members don't leave the form by accident.
  useLayoutEffect(() => {
    if (!preview) return;
    for (const element of content.current?.querySelectorAll<HTMLElement>("a, button, pre, .table-scroll") ??
      []) {
      element.tabIndex = -1;
      if (element instanceof HTMLAnchorElement) {
        Object.assign(element, { target: "_blank", rel: "noopener noreferrer" });
      }
    }
  }, [preview]);

  if (!isShown) return <p className="text-sm text-muted">This text is too long for a preview.</p>;
  if (!preview) return null;
  if (preview.html === null) return <p className="whitespace-pre-wrap">{preview.text}</p>;
  return (
    <div
      ref={content}
      className="prose"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made from an escaped syntax tree by our own renderer
      dangerouslySetInnerHTML={{ __html: preview.html }}
    />
  );
}
