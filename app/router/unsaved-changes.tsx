import { useEffect, useEffectEvent, useRef } from "react";
import { useBlocker, useLocation } from "react-router";
import { Button } from "../ui/button.tsx";
import { AlertDialog } from "../ui/dialog.tsx";
import { useListener } from "../ui/use-listener.ts";
import { returnToCurrentEntry } from "./history-index.ts";

interface UnsavedChangesProps {
  isDirty: boolean;
  /** The unsaved values. If they change after Leave, `onLeft` isn't called: the member hasn't agreed to lose them. */
  values?: unknown;
  /** Called when the member chooses Leave. */
  onLeave?(): void;
  /** Called after Leave, once the other page is shown: until then, nothing may be lost. */
  onLeft?(): void;
  title?: string;
  text?: string;
}

/** Asks before the member leaves a page with unsaved changes (specification §4). */
export function UnsavedChanges({
  isDirty,
  values,
  onLeave,
  onLeft,
  title = "Unsaved Changes",
  text = "You have unsaved changes. Are you sure you want to leave this page? Your changes will be lost.",
}: UnsavedChangesProps) {
  const { pathname } = useLocation();
  // After Leave, the router is on the next page before React has removed this form. Don't block Back then.
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isDirty && from.pathname === pathname && from.pathname !== to.pathname,
  );
  const isOpen = blocker.state === "blocked";

  useListener(isDirty && "beforeunload", (event) => event.preventDefault());

  const isLeaving = useRef(false);
  const left = useEffectEvent(() => onLeft?.());
  useEffect(
    () => () => {
      if (isLeaving.current) left();
    },
    [],
  );
  useEffect(() => {
    if (isOpen) isLeaving.current = false;
  }, [isOpen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect is for each change of the values
  useEffect(() => {
    isLeaving.current = false;
  }, [values]);

  function stay() {
    blocker.reset?.();
    returnToCurrentEntry();
  }

  function leave() {
    isLeaving.current = true;
    onLeave?.();
    blocker.proceed?.();
  }

  // If a pending save succeeds while the dialog is open, close the dialog: nothing would be lost any more.
  const stayNow = useEffectEvent(stay);
  useEffect(() => {
    if (isOpen && !isDirty) stayNow();
  }, [isOpen, isDirty]);

  if (!isOpen || !isDirty) return null;
  return (
    <AlertDialog title={title} text={text} onCancel={stay}>
      <Button onClick={stay}>Stay</Button>
      <Button variant="danger" onClick={leave}>
        Leave
      </Button>
    </AlertDialog>
  );
}
