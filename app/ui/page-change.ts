import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { announce } from "./announce.tsx";

/** Moves the focus to the page's heading, for when what had it is gone. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>("main h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Does after a client navigation what a browser does after loading a document: says its title, moves the focus. */
export function usePageChange(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    announce(document.title);
    focusHeading();
  }, [pathname]);
}
