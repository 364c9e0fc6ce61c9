import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Backend } from "../data/client.ts";
import type { Auth } from "./auth.ts";
import { readAuthAnswer } from "./auth-answer.ts";
import { ExchangeDialog } from "./exchange-dialog.tsx";
import { SessionContext } from "./session.ts";
import type { SessionState } from "./state.ts";
import { holdsSession, SESSION_KEY, storedMember } from "./storage.ts";

const loadAuth = () => import("./auth.ts");

// Fetched while React still hydrates, so that members see their part of the page that much earlier.
if (typeof document !== "undefined" && holdsSession()) loadAuth().catch(() => undefined);

/** The session is read once at load, then follows the auth events of this tab and the others (specification §4). */
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
    () =>
      auth?.subscribe((next) =>
        setState((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next)),
      ),
    [auth],
  );

  useEffect(() => {
    const signedOut = () => setState((now) => (now.status === "out" ? now : { status: "out" }));
    const isByAnswer = () => readAuthAnswer(location.href, backend?.invitesWithTokens) !== null;
    const look = (then?: (auth: Auth) => unknown) =>
      holdsSession() || isByAnswer() ? openAuth().then(then).catch(signedOut) : signedOut();
    const onStorage = ({ key }: StorageEvent) => {
      if (key === SESSION_KEY || key === null) look((opened) => opened.reread());
    };
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) look((opened) => opened.reread());
    };
    isByLink.current = isByAnswer();
    // The form need not wait for the auth client, which reads the same.
    const member = isByLink.current ? null : storedMember();
    if (member) setState({ status: "in", ...member, needsPassword: false, offered: null });
    look();
    addEventListener("storage", onStorage);
    addEventListener("pageshow", onPageShow);
    return () => {
      removeEventListener("storage", onStorage);
      removeEventListener("pageshow", onPageShow);
    };
  }, [openAuth, backend]);

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
  return (
    <SessionContext value={session}>
      {children}
      <ExchangeDialog />
    </SessionContext>
  );
}
