import { type ReactNode, useId } from "react";
import { focusElement } from "./focus.ts";

interface DisclosureProps {
  isOpen: boolean;
  onToggle(): void;
  /** The classes of the button. */
  className: string;
  label: ReactNode;
  /** What the button shows. One of its elements should have the ref `focusOpened`. */
  children: ReactNode;
}

/** A button that shows and hides the content below it. Orca's arrow keys skip or can't read a <details>. */
export function Disclosure({ isOpen, onToggle, className, label, children }: DisclosureProps) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className={className}
        onClick={onToggle}
      >
        {label}
      </button>
      {isOpen && <div id={id}>{children}</div>}
    </>
  );
}

/**
 * The ref of an element that takes the focus from the button when it appears. From a focused button with `aria-expanded`,
 * Orca reads nothing on with the arrow keys.
 */
export function focusOpened(element: HTMLElement | null): void {
  const id = document.activeElement?.getAttribute("aria-controls");
  if (id && element?.closest(`#${CSS.escape(id)}`)) focusElement(element);
}
