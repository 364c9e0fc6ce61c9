import { lazy, useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import type { BackendAddress } from "../../common/data/client.ts";
import { announce } from "../ui/announce.tsx";
import { LoadBoundary } from "../ui/load-boundary.tsx";
import { useListener } from "../ui/use-listener.ts";
import { type MailLink, readMailLink } from "./mail-link.ts";
import { openAuth, setBackend } from "./open-auth.ts";
import { reportSession, type SessionState, useSession } from "./session.ts";
import { holdsSession, needsPassword, SESSION_KEY, storedMember } from "./storage.ts";

const LinkDialog = lazy(() => import("./link-dialog.tsx"));

// Start downloading the auth client during hydration, so that members see their part of the page sooner.
if (typeof document !== "undefined" && holdsSession()) import("./auth.ts").catch(() => undefined);

function readSession(mailLink: MailLink | null): void {
  const signedOut = () => reportSession({ status: "out" });
  if (holdsSession() || mailLink) openAuth(mailLink).catch(signedOut);
  else signedOut();
}

/**
 * Reads the session when the page loads, when Back restores the page from the browser's cache, and when another tab
 * changes the session (specification §4). Also shows the dialogs about mailed links.
 */
export function SessionSync({ backend }: { backend: BackendAddress | undefined }) {
  const session = useSession();
  const mailLink = useMailLink(session);
  useAnnouncedSignIn(session.status);

  const readAtLoad = useEffectEvent(() => {
    // Show the stored session without waiting for the auth client's code, which would read the same storage.
    const member = mailLink ? null : storedMember();
    if (member) reportSession({ status: "in", ...member, needsPassword: needsPassword(member.userId) });
    readSession(mailLink);
  });
  useEffect(() => {
    setBackend(backend);
    readAtLoad();
  }, [backend]);
  useListener("storage", ({ key }) => {
    if (key === SESSION_KEY || key === null) readSession(mailLink);
  });
  useListener("pageshow", () => readSession(mailLink));

  useLayoutEffect(() => {
    if (session.status !== "unknown") {
      document.documentElement.toggleAttribute("data-session", session.status === "in");
    }
  }, [session]);

  if (session.status !== "in") return null;
  const asks = session.problem || (session.link && session.link.email !== session.email);
  return (
    asks && (
      <LoadBoundary>
        <LinkDialog session={session} />
      </LoadBoundary>
    )
  );
}

function useAnnouncedSignIn(status: SessionState["status"]): void {
  const previous = useRef(status);
  useEffect(() => {
    if (previous.current === "out" && status === "in") announce("You are signed in.");
    previous.current = status;
  }, [status]);
}

/**
 * Opens /profile for such a link and moves the link from the URL to the location state, so that it can't be
 * bookmarked. The location state keeps the link across reloads until it is redeemed, declined or rejected.
 */
function useMailLink(session: SessionState): MailLink | null {
  const { search, hash, state } = useLocation();
  const navigate = useNavigate();
  const linkInUrl = readMailLink({ search, hash });
  const linkInState: MailLink | null = state?.mailLink ?? null;
  const isOpen = session.status === "unknown" || session.link !== undefined;
  useEffect(() => {
    const options = { replace: true, preventScrollReset: true };
    const mailLink = readMailLink({ search, hash });
    if (mailLink) void navigate("/profile", { ...options, state: { mailLink } });
    else if (linkInState && !isOpen) void navigate("/profile", options);
  }, [search, hash, linkInState, isOpen, navigate]);
  return linkInUrl ?? linkInState;
}
