import { type FocusEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import { MoreIcon } from "../ui/icons.tsx";

/** The height of an item, and of the menu's border and padding. */
const ITEM_PX = 44;
const FRAME_PX = 12;

interface MenuItem {
  label: string;
  isDangerous?: boolean;
  onChoose(): void;
}

interface ActionMenuProps {
  /** The button's accessible name. */
  label: string;
  items: readonly MenuItem[];
  className?: string;
}

/** A menu button (WAI-ARIA Authoring Practices). The page has items of the open menu only. */
export function ActionMenu({ label, items, className = "" }: ActionMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  /** Null while the menu is closed. */
  const [open, setOpen] = useState<{ focused: "first" | "last"; isAbove: boolean } | null>(null);
  const isOpen = open !== null;
  /** A press on the button of an open menu closes it by moving the focus, before the button's click. */
  const wasOpen = useRef(false);

  const entries = () => [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];

  function show(focused: "first" | "last") {
    const { top = 0, bottom = 0 } = button.current?.getBoundingClientRect() ?? {};
    const height = items.length * ITEM_PX + FRAME_PX;
    setOpen({ focused, isAbove: bottom + height > innerHeight && top > height });
  }

  function close() {
    button.current?.focus({ preventScroll: true });
    setOpen(null);
  }

  function onButtonKey(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    show(event.key === "ArrowDown" ? "first" : "last");
  }

  function onMenuKey(event: KeyboardEvent) {
    const all = entries();
    const index = all.findIndex((entry) => entry.matches(":focus"));
    const isLetter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey;
    if (event.key === "Escape") close();
    else if (event.key === "ArrowDown") all[(index + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all.at(index - 1)?.focus();
    else if (event.key === "Home") all[0]?.focus();
    else if (event.key === "End") all.at(-1)?.focus();
    else if (isLetter) focusByLetter(all, index, event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onBlur({ relatedTarget }: FocusEvent) {
    if (!menu.current?.contains(relatedTarget)) setOpen(null);
  }

  return (
    <div className={`relative ${className}`}>
      <button
        ref={button}
        type="button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className="grid size-11 scroll-mb-40 place-items-center border-2 border-transparent hover:bg-marker hover:text-on-marker aria-expanded:border-ink"
        onPointerDown={() => {
          wasOpen.current = isOpen;
        }}
        onKeyDown={onButtonKey}
        onClick={({ detail }) => {
          // The keyboard's click has no detail.
          if (detail === 0 || !wasOpen.current) show("first");
          wasOpen.current = false;
        }}
      >
        <MoreIcon />
      </button>
      {isOpen && (
        <div
          ref={(element) => {
            menu.current = element;
          }}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          className={`absolute end-0 z-20 w-56 border-2 border-ink bg-paper py-1 ${open.isAbove ? "bottom-full" : "top-full"}`}
          onKeyDown={onMenuKey}
          onBlur={onBlur}
        >
          {items.map((item, index) => (
            <button
              key={item.label}
              // The menu appears with the focus in it.
              ref={index === (open.focused === "last" ? items.length - 1 : 0) ? focusOnMount : null}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={`flex min-h-11 w-full items-center px-4 text-start font-semibold hover:bg-marker hover:text-on-marker focus-visible:bg-marker focus-visible:text-on-marker ${item.isDangerous ? "text-danger" : ""}`}
              onClick={() => {
                close();
                item.onChoose();
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}

/** Focuses the next entry that begins with the letter. */
function focusByLetter(all: HTMLElement[], index: number, letter: string): void {
  const following = [...all.slice(index + 1), ...all.slice(0, index + 1)];
  following.find(({ textContent }) => textContent?.toLowerCase().startsWith(letter.toLowerCase()))?.focus();
}
