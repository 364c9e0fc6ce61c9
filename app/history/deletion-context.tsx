import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type Location, useLocation } from "react-router";
import type { Deletion } from "./deletion.ts";

interface Deletions {
  deletion: (Deletion & { number: number }) | null;
  show(deletion: Deletion): void;
  dismiss(): void;
}

const DeletionContext = createContext<Deletions>({
  deletion: null,
  show: () => undefined,
  dismiss: () => undefined,
});

const loadNotice = () => import("./deleted-notice.tsx");
const DeletedNotice = lazy(loadNotice);

/** Set by the navigation that a deletion itself causes. */
export const AFTER_DELETION = { isAfterDeletion: true };

/** Keeps the last deletion until it is dismissed, the next navigation or the next deletion (contract, "Nothing is lost"). */
export function DeletionProvider({ children }: { children: ReactNode }) {
  const [deletion, setDeletion] = useState<Deletions["deletion"]>(null);
  const count = useRef(0);
  const show = useCallback((next: Deletion) => {
    count.current++;
    setDeletion({ ...next, number: count.current });
  }, []);
  const dismiss = useCallback(() => setDeletion(null), []);

  const location = useLocation();
  const shown = useRef(location);
  useEffect(() => {
    const isDismissed = location.key !== shown.current.key && !continues(shown.current, location);
    shown.current = location;
    if (isDismissed) dismiss();
  }, [location, dismiss]);

  const value = useMemo(() => ({ deletion, show, dismiss }), [deletion, show, dismiss]);
  return <DeletionContext value={value}>{children}</DeletionContext>;
}

export const useDeletions = () => useContext(DeletionContext);

/** For parts of a page that can delete, so that the notice is there when it is needed, also offline. */
export const preloadNotice = () => void loadNotice().catch(() => undefined);

/** The one notice of the page. It is at the top of the page unless the deletion names another place. */
export function DeletionNotice() {
  const { deletion, dismiss } = useDeletions();
  if (!deletion) return null;
  return (
    <Suspense>
      <DeletedNotice key={deletion.number} deletion={deletion} onDismiss={dismiss} />
    </Suspense>
  );
}

/** Whether the reader stays on the page: a list has only got longer, or a deletion led to its list. */
function continues(before: Location, after: Location): boolean {
  if (after.state?.isAfterDeletion) return true;
  const pages = (location: Location) => new URLSearchParams(location.search).get("pages");
  return pages(before) !== pages(after) && withoutPages(before) === withoutPages(after);
}

function withoutPages({ pathname, search }: Location): string {
  const query = new URLSearchParams(search);
  query.delete("pages");
  return `${pathname}?${query}`;
}
