import { type RefObject, useEffect, useState } from "react";
import { applyFormat, FORMAT_NAMES, type FormatName } from "../ui/text-editing.ts";
import { useListener } from "../ui/use-listener.ts";

const COARSE = "(pointer: coarse)";

interface FormatBarProps {
  container: RefObject<HTMLDivElement | null>;
  onPicture(): void;
}

/**
 * Buttons above a phone's keyboard, which has no Ctrl key. They are shown while the focus is in the field or on one of
 * them.
 */
export function FormatBar({ container, onPicture }: FormatBarProps) {
  const [isShown, setIsShown] = useState(false);
  useListener("focusin", ({ target }) => {
    const bar = container.current?.querySelector("[role=toolbar]");
    const isInside = target instanceof Node && (isArea(target, container.current) || bar?.contains(target));
    setIsShown(isInside === true && matchMedia(COARSE).matches);
  });
  useListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget === null) setIsShown(false);
  });
  return isShown ? <Bar container={container} onPicture={onPicture} /> : null;
}

const isArea = (target: Node, container: HTMLDivElement | null) =>
  target instanceof HTMLTextAreaElement && container?.contains(target);

function Bar({ container, onPicture }: FormatBarProps) {
  const bottom = useKeyboardHeight();
  useScrollPadding();
  function format(name: FormatName) {
    const field = container.current?.querySelector("textarea");
    if (field && !field.matches(":disabled")) applyFormat(field, name);
  }
  return (
    <div
      role="toolbar"
      aria-label="Formatting"
      className="fixed inset-x-0 z-40 flex border-t-2 border-ink bg-paper"
      style={{ bottom }}
      // Otherwise, a press would take the focus from the field, and the keyboard would close.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {FORMAT_NAMES.map((name) => (
        <button key={name} type="button" className={BUTTON} onClick={() => format(name)}>
          {name}
        </button>
      ))}
      <button type="button" className={BUTTON} onClick={onPicture}>
        Picture
      </button>
    </div>
  );
}

const BUTTON =
  "min-h-11 flex-auto px-1 text-sm font-semibold whitespace-nowrap hover:bg-marker hover:text-on-marker";

/** Keeps what browsers scroll to above the bar. */
function useScrollPadding(): void {
  useEffect(() => {
    const { style } = document.documentElement;
    style.scrollPaddingBottom = "4rem";
    return () => {
      style.scrollPaddingBottom = "";
    };
  }, []);
}

/** Returns the height of the part of the window that the keyboard covers, in pixels. */
function useKeyboardHeight(): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const { visualViewport } = window;
    if (!visualViewport) return;
    const measure = () =>
      setHeight(Math.max(0, window.innerHeight - visualViewport.height - visualViewport.offsetTop));
    measure();
    visualViewport.addEventListener("resize", measure);
    visualViewport.addEventListener("scroll", measure);
    return () => {
      visualViewport.removeEventListener("resize", measure);
      visualViewport.removeEventListener("scroll", measure);
    };
  }, []);
  return height;
}
