import { useCallback, useEffect, useRef, useState } from "react";
import { type BlockerFunction, type Location, useBlocker, useLocation } from "react-router";
import { Button } from "./button.tsx";
import { AlertDialog } from "./dialog.tsx";
import { objectToLeaving } from "./leaving.ts";

/**
 * Takes whether something is unsaved, and what to do when the member gives it up. Asks before another page takes
 * this one's place, and lets the browser ask before the tab goes (specification §2, Shared interface pieces, and
 * §4, Unsaved-changes guard). The router remembers the target, and how it was asked for: a link or a button of
 * the browser.
 */
export function UnsavedChanges({ isDirty, onLeave }: { isDirty: boolean; onLeave(): void }) {
  const blocker = useBlocker(
    useCallback<BlockerFunction>(
      ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
      [isDirty],
    ),
  );
  const comeBack = useWayBack();
  // Leaving that is no navigation, as signing out begins.
  const [leave, setLeave] = useState<(() => void) | null>(null);
  // The router takes its time with what it is told; the dialog closes at once.
  const [answered, setAnswered] = useState<Location | null>(null);
  const isBlocked = blocker.state === "blocked" && blocker.location !== answered;

  useEffect(() => (isDirty ? objectToLeaving((next) => setLeave(() => next)) : undefined), [isDirty]);

  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isDirty]);

  function close() {
    setLeave(null);
    setAnswered(blocker.location ?? null);
  }

  function stay() {
    close();
    blocker.reset?.();
    comeBack();
  }

  function go() {
    close();
    onLeave();
    leave?.();
    blocker.proceed?.();
  }

  return (
    <AlertDialog
      isOpen={leave !== null || isBlocked}
      title="Unsaved Changes"
      text="You have unsaved changes. Are you sure you want to leave this page? Your changes will be lost."
      onCancel={stay}
    >
      <Button onClick={stay}>Stay</Button>
      <Button look="danger" onClick={go}>
        Leave
      </Button>
    </AlertDialog>
  );
}

/**
 * Returns how to make the browser's address this page's again. The router takes back one step for each that it
 * blocks; of two steps in quick succession it loses count, and the address stays somewhere else.
 */
function useWayBack(): () => void {
  const { key } = useLocation();
  const here = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation has its own place in the history
  useEffect(() => {
    here.current = placeInHistory();
  }, [key]);
  return () => {
    const place = placeInHistory();
    if (here.current !== undefined && place !== undefined && place !== here.current) {
      history.go(here.current - place);
    }
  };
}

/** Returns the number that React Router gives each entry of the history, if it made this one. */
function placeInHistory(): number | undefined {
  return (history.state as { idx?: number } | null)?.idx;
}
