import { type ReactNode, useId } from "react";

interface PanelProps {
  title: string;
  /** The id that links to this panel name. */
  anchor?: string;
  empty?: string | false;
  /** Shown below the content or the `empty` text. */
  end?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, anchor, empty, end, children }: PanelProps) {
  const id = useId();
  return (
    <section id={anchor} aria-labelledby={id} className="scroll-mt-6">
      <h2
        id={id}
        className="mb-6 border-b-2 border-ink pb-3 font-display text-2xl font-bold tracking-tight lg:text-4xl"
      >
        {title}
      </h2>
      {empty ? (
        <div className="-mt-6">
          <Empty>{empty}</Empty>
        </div>
      ) : (
        children
      )}
      {end}
    </section>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="border-b border-rule py-8 text-muted">{children}</p>;
}
