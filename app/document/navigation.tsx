import { useEffect, useRef, useState } from "react";
import { UNSAFE_useScrollRestoration, useLocation, useNavigate, useNavigation } from "react-router";
import { announce } from "../ui/announce.tsx";
import { focusHeading } from "../ui/focus.ts";
import { clickedLink, isPage } from "./clicked-link.ts";

const OFFLINE = "You are offline. Please follow the link again once you are connected.";

/** A component of its own, so that a navigation under way renders nothing else of the document again. */
export function Navigation() {
  // Not <ScrollRestoration>, which adds a script to every document that only repeats what browsers do on load.
  UNSAFE_useScrollRestoration();
  usePageChange();
  useTextLinks();
  const isOffline = useOfflineLinks();
  const { state } = useNavigation();
  return (
    <>
      {state !== "idle" && <div role="progressbar" aria-label="Loading" className="progress" />}
      {isOffline && <p className="offline">{OFFLINE}</p>}
    </>
  );
}

/** After a client navigation, does what a browser does after loading a document: says its title, moves the focus. */
function usePageChange(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    announce(document.title);
    focusHeading();
  }, [pathname]);
}

/** Links inside members' texts are plain HTML; through the router they meet the unsaved-changes guard like all others. */
function useTextLinks(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = clickedLink(event);
      if (!link?.closest(".prose") || !isPage(link)) return;
      event.preventDefault();
      void navigate(link.pathname + link.search + link.hash);
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [navigate]);
}

function useOfflineLinks(): boolean {
  const [isOffline, setIsOffline] = useState(false);
  useEffect(() => {
    const hold = (event: MouseEvent) => {
      if (navigator.onLine || !clickedLink(event)) return;
      event.preventDefault();
      setIsOffline(true);
      announce(OFFLINE);
    };
    const connected = () => setIsOffline(false);
    document.addEventListener("click", hold, true);
    addEventListener("online", connected);
    return () => {
      document.removeEventListener("click", hold, true);
      removeEventListener("online", connected);
    };
  }, []);
  return isOffline;
}
