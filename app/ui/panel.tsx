import { type ReactNode, useId } from "react";

/** Takes a title and content, returns a region of that name. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-5 border-b border-line pb-3 font-display text-2xl font-bold tracking-tight">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Takes the text of an empty panel or list. */
export function Empty({ children }: { children: ReactNode }) {
  return (
    <p className="rounded-lg border border-dashed border-line px-5 py-8 text-center text-muted">{children}</p>
  );
}
