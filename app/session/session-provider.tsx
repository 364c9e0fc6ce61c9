import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Backend } from "../data/client.ts";
import type { Auth } from "./auth.ts";
import { readAuthAnswer } from "./auth-answer.ts";
import { SessionContext } from "./session.ts";
import { isSameState, type SessionState } from "./state.ts";
import { holdsSession, SESSION_KEY } from "./storage.ts";

const loadAuth = () => import("./auth.ts");

// Fetched while React still hydrates, so that a member sees his part of the page that much earlier.
if (typeof document !== "undefined" && holdsSession()) loadAuth().catch(() => undefined);

/**
 * Takes the backend, gives the pages below the current session: read once at load, then kept current by every
 * auth event in this tab and the others (specification §4, Session).
 */
export function SessionProvider({
  backend,
  children,
}: {
  backend: Backend | undefined;
  children: ReactNode;
}) {
  const [state, setState] = useState<SessionState>({ status: "unknown" });
  const [auth, setAuth] = useState<Auth | null>(null);

  const openAuth = useCallback(async () => {
    if (!backend) throw new Error("The site did not say where its backend is");
    const opened = (await loadAuth()).openAuth(backend);
    setAuth(opened);
    return opened;
  }, [backend]);

  useEffect(
    () => auth?.subscribe((next) => setState((now) => (isSameState(now, next) ? now : next))),
    [auth],
  );

  useEffect(() => {
    const signedOut = () => setState((now) => (now.status === "out" ? now : { status: "out" }));
    // Without its code the page cannot be a member's; the next event looks again.
    const look = (then?: (auth: Auth) => unknown) =>
      holdsSession() || readAuthAnswer(location.href) ? openAuth().then(then).catch(signedOut) : signedOut();
    const onStorage = ({ key }: StorageEvent) => {
      if (key === SESSION_KEY || key === null) look((opened) => opened.reread());
    };
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) look((opened) => opened.reread());
    };
    isByLink.current = readAuthAnswer(location.href) !== null;
    look();
    addEventListener("storage", onStorage);
    addEventListener("pageshow", onPageShow);
    return () => {
      removeEventListener("storage", onStorage);
      removeEventListener("pageshow", onPageShow);
    };
  }, [openAuth]);

  // The document's hint that somebody is signed in reserves his space before React stands; from here on it is a fact.
  useLayoutEffect(() => {
    if (state.status !== "unknown") {
      document.documentElement.toggleAttribute("data-session", state.status === "in");
    }
  }, [state]);

  // A hosted project may lead to another page than the one on which the password is chosen.
  const navigate = useNavigate();
  const isByLink = useRef(false);
  useEffect(() => {
    if (
      isByLink.current &&
      state.status === "in" &&
      state.needsPassword &&
      location.pathname !== "/profile"
    ) {
      void navigate("/profile");
    }
  }, [state, navigate]);

  const session = useMemo(() => ({ state, openAuth }), [state, openAuth]);
  return <SessionContext value={session}>{children}</SessionContext>;
}
