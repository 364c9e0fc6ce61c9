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
import type { Deletion, NoticePlace } from "./deletion.ts";

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

/** The location state of the navigation that follows a deletion. It keeps the notice about the deletion visible. */
export const AFTER_DELETION = { isAfterDeletion: true };

/** Holds the last deletion until it is undone or dismissed, or the member navigates (contract, "Nothing is lost"). */
export function DeletionProvider({ children }: { children: ReactNode }) {
  const [deletion, setDeletion] = useState<Deletions["deletion"]>(null);
  const count = useRef(0);
  const show = useCallback((next: Deletion) => {
    count.current++;
    setDeletion({ ...next, number: count.current });
  }, []);
  const dismiss = useCallback(() => setDeletion(null), []);

  const location = useLocation();
  const previous = useRef(location);
  useEffect(() => {
    const isDismissed = location.key !== previous.current.key && !keepsNotice(previous.current, location);
    previous.current = location;
    if (isDismissed) dismiss();
  }, [location, dismiss]);

  const value = useMemo(() => ({ deletion, show, dismiss }), [deletion, show, dismiss]);
  return <DeletionContext value={value}>{children}</DeletionContext>;
}

export const useDeletions = () => useContext(DeletionContext);

/**
 * Loads the notice's code early, so that Undo can show an error while the browser is offline.
 * Components that can delete call this when they are mounted.
 */
export const preloadNotice = () => void loadNotice().catch(() => undefined);

/** Shows the notice about the last deletion, unless the notice belongs in another place on the page. */
export function DeletionNotice({ place }: { place: NoticePlace }) {
  const { deletion, dismiss } = useDeletions();
  if (deletion?.place !== place) return null;
  return (
    <Suspense>
      <DeletedNotice key={deletion.number} deletion={deletion} onDismiss={dismiss} />
    </Suspense>
  );
}

/** Returns true if the navigation follows the deletion or only adds pages to the list. The notice then stays. */
function keepsNotice(before: Location, after: Location): boolean {
  if (after.state?.isAfterDeletion) return true;
  const pages = (location: Location) => new URLSearchParams(location.search).get("pages");
  return pages(before) !== pages(after) && withoutPages(before) === withoutPages(after);
}

function withoutPages({ pathname, search }: Location): string {
  const query = new URLSearchParams(search);
  query.delete("pages");
  return `${pathname}?${query}`;
}
