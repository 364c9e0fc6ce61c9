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

/** Location state of the navigation that follows a deletion. */
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

/** Call from components that can delete, so that the notice also works offline. */
export const preloadNotice = () => void loadNotice().catch(() => undefined);

/** The page's only notice. It is at the top of the page unless the deletion has a `place`. */
export function DeletionNotice() {
  const { deletion, dismiss } = useDeletions();
  if (!deletion) return null;
  return (
    <Suspense>
      <DeletedNotice key={deletion.number} deletion={deletion} onDismiss={dismiss} />
    </Suspense>
  );
}

/** Whether a navigation keeps the notice: the list only got longer, or a deletion led to the list. */
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
