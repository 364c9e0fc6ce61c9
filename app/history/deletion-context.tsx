import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { type Location, useLocation } from "react-router";
import { useUserId } from "../session/session.ts";
import { announce } from "../ui/announce.tsx";
import { type Deletion, type NoticePlace, nameOfDeletion } from "./deletion.ts";
import type { restoreRow } from "./versions.ts";

interface Deletions {
  deletion: (Deletion & { number: number }) | null;
  show(deletion: Deletion): void;
  /** Ends the notice about this deletion, but not one about a later deletion. */
  dismiss(number: number): void;
  /** Returns whether the notice about this deletion is shown for the first time. */
  markShown(number: number): boolean;
  /** Shows the restored row in this place, and resolves once it is on the screen. */
  reload(place: NoticePlace): Promise<void>;
  /** Sets how a place shows a restored row. Returns a function that unregisters it. */
  register(place: NoticePlace, reload: () => Promise<void>): () => void;
}

const DeletionContext = createContext<Deletions>({
  deletion: null,
  show: () => undefined,
  dismiss: () => undefined,
  markShown: () => false,
  reload: async () => undefined,
  register: () => () => undefined,
});

const loadNotice = () => import("./deleted-notice.tsx");
const DeletedNotice = lazy(loadNotice);

/** Holds the last deletion until it is undone or dismissed, or the member navigates (contract, "Nothing is lost"). */
export function DeletionProvider({ children }: { children: ReactNode }) {
  const [deletion, setDeletion] = useState<Deletions["deletion"]>(null);
  const count = useRef(0);
  const show = useCallback((next: Deletion) => {
    count.current++;
    setDeletion({ ...next, number: count.current });
  }, []);
  const dismiss = useCallback(
    (number: number) => setDeletion((current) => (current?.number === number ? null : current)),
    [],
  );
  const lastShown = useRef(0);
  const markShown = useCallback((number: number) => {
    const isFirst = number > lastShown.current;
    lastShown.current = Math.max(number, lastShown.current);
    return isFirst;
  }, []);

  // The next member on this device must not see the title, and can't undo the deletion.
  const userId = useUserId();
  const [ownerId, setOwnerId] = useState(userId);
  if (userId !== ownerId) {
    setOwnerId(userId);
    if (ownerId !== null) setDeletion(null);
  }

  const reloads = useRef(new Map<NoticePlace, () => Promise<void>>());
  const reload = useCallback(async (place: NoticePlace) => reloads.current.get(place)?.(), []);
  const register = useCallback((place: NoticePlace, run: () => Promise<void>) => {
    reloads.current.set(place, run);
    return () => {
      if (reloads.current.get(place) === run) reloads.current.delete(place);
    };
  }, []);

  const location = useLocation();
  const previous = useRef(location);
  const follow = useEffectEvent((before: Location) => {
    // If a deletion ended after the member had left, show its notice when they return: only Undo can restore some rows.
    if (deletion === null || deletion.number > lastShown.current || location.key === before.key) return;
    if (!keepsNotice(before, location, deletion.leadsTo)) dismiss(deletion.number);
  });
  useEffect(() => {
    const before = previous.current;
    previous.current = location;
    follow(before);
  }, [location]);

  const value = useMemo(
    () => ({ deletion, show, dismiss, markShown, reload, register }),
    [deletion, show, dismiss, markShown, reload, register],
  );
  return <DeletionContext value={value}>{children}</DeletionContext>;
}

export const useDeletions = () => useContext(DeletionContext);

/** Makes Undo show the rows that it restores in this place. `reload` must be stable. */
export function useReloadAfterUndo(place: NoticePlace, reload: () => Promise<void>): void {
  const { register } = useDeletions();
  useEffect(() => register(place, reload), [register, place, reload]);
}

/** Returns a function that inserts a deleted row again. Its code is loaded with the notice (`preloadNotice`). */
export const restoringRow =
  (...[client, table, row]: Parameters<typeof restoreRow>) =>
  () =>
    loadNotice().then(
      (notice) => notice.restoreRow(client, table, row),
      () => "failed" as const,
    );

/**
 * Loads the notice's code early, so that Undo can show an error while the browser is offline.
 * Components that can delete call this when they are mounted.
 */
export const preloadNotice = () => void loadNotice().catch(() => undefined);

/** Shows the notice about the last deletion, unless the notice belongs in another place on the page. */
export function DeletionNotice({ place }: { place: NoticePlace }) {
  const { deletion, dismiss, markShown, reload } = useDeletions();
  const shown = deletion?.place === place ? deletion : null;
  // Announce it here and not in the notice. While the notice's code loads, a search by the member dismisses it.
  useEffect(() => {
    if (shown && markShown(shown.number))
      announce(
        `Deleted ${nameOfDeletion(shown)}. Press Undo to restore ${shown.count === undefined || shown.count === 1 ? "it" : "them"}.`,
      );
  }, [shown, markShown]);
  if (!shown) return null;
  return (
    <Suspense>
      <DeletedNotice
        key={shown.number}
        deletion={shown}
        onRestored={() => reload(place)}
        onDismiss={() => dismiss(shown.number)}
      />
    </Suspense>
  );
}

/** Returns true if the navigation follows the deletion or only adds pages to the list. The notice then stays. */
function keepsNotice(before: Location, after: Location, leadsTo: string | undefined): boolean {
  if (before.pathname !== after.pathname) return after.pathname === leadsTo;
  const pages = (location: Location) => new URLSearchParams(location.search).get("pages");
  return pages(before) !== pages(after) && withoutPages(before) === withoutPages(after);
}

function withoutPages({ pathname, search }: Location): string {
  const query = new URLSearchParams(search);
  query.delete("pages");
  return `${pathname}?${query}`;
}
