import { useCallback, useEffect, useState } from "react";
import { type BlockerFunction, useBlocker } from "react-router";
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
  // Leaving that is no navigation, as signing out begins.
  const [leave, setLeave] = useState<(() => void) | null>(null);

  useEffect(() => (isDirty ? objectToLeaving((next) => setLeave(() => next)) : undefined), [isDirty]);

  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isDirty]);

  function stay() {
    setLeave(null);
    blocker.reset?.();
  }

  function go() {
    setLeave(null);
    onLeave();
    leave?.();
    blocker.proceed?.();
  }

  return (
    <AlertDialog
      isOpen={leave !== null || blocker.state === "blocked"}
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
