import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { focusBeforeRemoval, focusedElement, focusWithSelection, mayMoveFocus } from "./focus.ts";

/** By then, a screen reader has followed the focus, also if the next step has many parts and the processor is slow. */
const READER_FOLLOWS_MS = 1_000;

interface PageStepProps<Id extends string> {
  id: Id;
  /** Whether the step has a heading that can take the focus. Until then, the step before stays on the screen. */
  isReady: boolean;
  render(id: Id): ReactNode;
}

/**
 * Shows one step of a page, such as the form to sign in. The next step takes the focus before a form that had it is
 * removed. Otherwise, Orca moves silently to the text at the form's place, and letters are not commands there.
 */
export function PageStep<Id extends string>({ id, isReady, render }: PageStepProps<Id>) {
  const [shown, setShown] = useState<Id>();
  const before = shown === id ? undefined : shown;
  const elementBefore = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isReady) return;
    const show = () => setShown(id);
    const heading = document.querySelector<HTMLElement>("main h1");
    if (!heading || before === undefined || !mayMoveFocus(elementBefore.current)) return show();
    if (focusedElement()) {
      const timer = focusBeforeRemoval(heading, show, READER_FOLLOWS_MS);
      return () => clearTimeout(timer);
    }
    // The reading position is still at the page's start.
    focusWithSelection(heading);
    show();
  }, [id, before, isReady]);
  return (
    <>
      <div key={id} hidden={before !== undefined && !isReady}>
        {render(id)}
      </div>
      {/* Opacity, because Firefox would remove an element from the accessibility tree if its box changed. */}
      {before !== undefined && (
        <div
          key={before}
          ref={elementBefore}
          className={isReady ? "step-before pointer-events-none opacity-0" : undefined}
        >
          {render(before)}
        </div>
      )}
    </>
  );
}
