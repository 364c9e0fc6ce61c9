import { useEffect, useRef, useState } from "react";
import { useScrollStops } from "../../ui/scroll-stops.ts";
import { createPreviewer, type Previewer } from "./previewer.ts";

/** A longer text would cost the page more than its preview is worth. */
const MOST_CHARACTERS = 100_000;
const PAUSE_MS = 120;

export default function MarkdownPreview({ text }: { text: string }) {
  const [preview, setPreview] = useState<{ text: string; html: string | null } | null>(null);
  const previewer = useRef<Previewer>(null);
  const isShown = text.length <= MOST_CHARACTERS;

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
    const timer = setTimeout(() => previewer.current?.show(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, isShown]);

  const content = useRef<HTMLDivElement>(null);
  useScrollStops(content, preview);

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
