import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { Unread } from "../ui/unread.tsx";

/** The texts of each section, by its anchor. Null if the section has not been read yet. */
type Needs = Readonly<Record<string, readonly string[] | null>>;

const ReportContext = createContext<(anchor: string, texts: readonly string[] | null) => void>(() => {});
const NeedsContext = createContext<Needs>({});

/** Collects what needs the operator from the sections, so that the top of the page can list it. */
export function NeedsProvider({ children }: { children: ReactNode }) {
  const [needs, setNeeds] = useState<Needs>({});
  const report = useCallback(
    (anchor: string, texts: readonly string[] | null) => setNeeds((known) => ({ ...known, [anchor]: texts })),
    [],
  );
  return (
    <ReportContext value={report}>
      <NeedsContext value={needs}>{children}</NeedsContext>
    </ReportContext>
  );
}

/**
 * Lists these texts at the top of the page, each with a link to the section.
 *
 * @param anchor the section's anchor
 * @param texts what needs the operator, such as "No backup has been made yet.", or null before the section has been read
 */
export function useNeeds(anchor: string, texts: readonly string[] | null): void {
  const report = useContext(ReportContext);
  const lines = JSON.stringify(texts);
  useEffect(() => {
    report(anchor, JSON.parse(lines));
    return () => report(anchor, []);
  }, [report, anchor, lines]);
}

/** Shows nothing while nothing needs the operator. */
export function NeedsNotice() {
  const needs = Object.entries(useContext(NeedsContext));
  const lines = needs.flatMap(([anchor, texts]) => (texts ?? []).map((text) => ({ anchor, text })));
  const isUnread = needs.length === 0 || needs.some(([, texts]) => texts === null);
  if (isUnread) return <Unread />;
  if (lines.length === 0) return null;
  return (
    <section aria-label="Needs attention" className="mb-10 border-2 border-ink px-4 py-2">
      <ul className="divide-y divide-rule">
        {lines.map(({ anchor, text }) => (
          <li key={`${anchor} ${text}`} className="font-medium wrap-anywhere">
            <a href={`#${anchor}`} className="flex min-h-11 items-center py-2 underline underline-offset-4">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
