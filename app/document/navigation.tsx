import { useEffect, useState } from "react";
import { UNSAFE_useScrollRestoration, useLocation, useNavigate, useNavigation } from "react-router";
import { announce } from "../ui/announce.tsx";
import { focusHeading } from "../ui/focus.ts";
import { useListener } from "../ui/use-listener.ts";
import "./browser-entries.ts";
import { clickedLink, isPage } from "./clicked-link.ts";

const OFFLINE = "You are offline. Please follow the link again once you are connected.";

/** A component of its own, so that a navigation under way renders nothing else of the document again. */
export function Navigation() {
  // Not <ScrollRestoration>, which adds a script to every document that only repeats what browsers do on load.
  UNSAFE_useScrollRestoration();
  usePresentedPage();
  const { isOffline } = useLinks();
  const isSlow = useSlowNavigation();
  return (
    <>
      {isSlow && <div role="progressbar" aria-label="Loading" className="progress" />}
      {isOffline && <p className="offline">{OFFLINE}</p>}
    </>
  );
}

/** A faster navigation, such as most of a search's, changes nothing on the screen but its result. */
const SLOW_MS = 150;

function useSlowNavigation(): boolean {
  const isUnderWay = useNavigation().state !== "idle";
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isUnderWay) return setIsSlow(false);
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, [isUnderWay]);
  return isSlow;
}

/** Not a component's, since React Router mounts the document anew on the way to an error page and back. */
let presented: string | undefined;

/** As a browser does after loading a document: says its title, moves the focus. */
function usePresentedPage(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (presented !== undefined && presented !== pathname) {
      announce(document.title);
      focusHeading();
    }
    presented = pathname;
  }, [pathname]);
}

/** Links are plain HTML, in members' texts as elsewhere. Those to our pages meet the guard on the way. */
function useLinks(): { isOffline: boolean } {
  const navigate = useNavigate();
  const [isOffline, setIsOffline] = useState(false);
  useListener("click", (event) => {
    const link = clickedLink(event);
    if (!link || (navigator.onLine && !isPage(link))) return;
    event.preventDefault();
    if (navigator.onLine) {
      void navigate(link.pathname + link.search + link.hash, { replace: link.href === location.href });
    } else {
      setIsOffline(true);
      announce(OFFLINE);
    }
  });
  useListener("online", () => setIsOffline(false));
  return { isOffline };
}
