import { useLayoutEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { useListener } from "../ui/use-listener.ts";

const SEARCH_PATH = "/search";
const FIELDS = "input, select, textarea, [contenteditable]";

/** The `/` key focuses the page's search box. If the page has none, the key opens the search over everything. */
export function useSearchKey(): void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const isOpening = useRef(false);
  useListener("keydown", (event) => {
    // On some keyboards, `/` needs Shift.
    const isModified = event.metaKey || event.ctrlKey || event.altKey;
    if (event.key !== "/" || isModified || event.defaultPrevented || event.isComposing) return;
    const isInField = event.target instanceof Element && event.target.closest(FIELDS);
    if (isInField || document.querySelector("dialog:modal")) return;
    event.preventDefault();
    if (focusSearchBox()) return;
    isOpening.current = true;
    void navigate(SEARCH_PATH);
  });
  useLayoutEffect(() => {
    if (isOpening.current && pathname === SEARCH_PATH) focusSearchBox();
    isOpening.current = false;
  }, [pathname]);
}

/** Returns whether the page has a search box. */
function focusSearchBox(): boolean {
  const boxes = document.querySelectorAll<HTMLInputElement>('main input[type="search"]');
  const box = [...boxes].find((each) => each.checkVisibility());
  box?.focus();
  return box !== undefined;
}
