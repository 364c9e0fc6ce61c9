import { lazy, Suspense } from "react";
import type * as previewModule from "./markdown-preview.tsx";

// Without the preview the form is still a form.
const MarkdownPreview = lazy<typeof previewModule.default>(() =>
  import("./markdown-preview.tsx").catch(() => ({ default: () => null })),
);

/** Takes Markdown as it is typed, returns its preview in a box that scrolls: beside the text, or below it on a narrow screen. */
export function PreviewPane({ text }: { text: string }) {
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col">
      <p aria-hidden="true" className="mb-1.5 text-sm font-medium">
        Preview
      </p>
      <div className="relative min-h-40 flex-1 rounded-md border border-dashed border-line-strong">
        <div
          // A box that scrolls takes the focus, so that the keyboard can scroll it.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
          tabIndex={0}
          className="max-h-80 overflow-y-auto px-4 py-3 lg:absolute lg:inset-0 lg:max-h-none"
        >
          {text && (
            <Suspense>
              <MarkdownPreview text={text} />
            </Suspense>
          )}
        </div>
      </div>
    </section>
  );
}
