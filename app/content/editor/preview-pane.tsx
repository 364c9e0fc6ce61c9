import { lazy, Suspense, useEffect, useRef } from "react";

const MarkdownPreview = lazy(() =>
  import("./markdown-preview.tsx").catch(() => ({ default: (_: { text: string }) => null })),
);

export function PreviewPane({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const source = box.current?.closest("form")?.querySelector("textarea");
    const scrollWithText = () => {
      if (!source || !box.current) return;
      const range = source.scrollHeight - source.clientHeight;
      // Text that fits its field doesn't scroll, so the preview has nothing to follow.
      if (range <= 0) return;
      box.current.scrollTop =
        (source.scrollTop / range) * (box.current.scrollHeight - box.current.clientHeight);
    };
    source?.addEventListener("scroll", scrollWithText);
    // The preview is rendered after the textarea has scrolled, so align it again whenever its height changes.
    const observer = new ResizeObserver(scrollWithText);
    if (content.current) observer.observe(content.current);
    return () => {
      source?.removeEventListener("scroll", scrollWithText);
      observer.disconnect();
    };
  }, []);

  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col">
      <p aria-hidden="true" className="font-mono text-sm text-muted">
        Preview
      </p>
      <div className="relative min-h-40 flex-1 border-b-2 border-rule">
        <div
          ref={box}
          // Not a tab stop, because the preview scrolls with the text.
          tabIndex={-1}
          className="preview max-h-80 overflow-y-auto py-2.5 lg:absolute lg:inset-0 lg:max-h-none"
        >
          <div ref={content}>
            {text && (
              <Suspense>
                <MarkdownPreview text={text} />
              </Suspense>
            )}
          </div>
        </div>
      </div>
    </section>
  );
}
