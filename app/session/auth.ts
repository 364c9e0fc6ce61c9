import {
  type AuthChangeEvent,
  type AuthError,
  type GoTrueClient,
  isAuthApiError,
  isAuthRetryableFetchError,
  type Session,
} from "@supabase/auth-js";
import { type Backend, createDataClient } from "../data/client.ts";
import { changePassword } from "./change-password.ts";
import { keepingVerifier, linkClient, memberClient } from "./clients.ts";
import { readMailLink } from "./mail-link.ts";
import { createMemberFetch } from "./member-fetch.ts";
import { redeemLink } from "./redeem-link.ts";
import { currentSession, NO_ANSWER, reportSession } from "./session.ts";
import { SESSION_KEY, storedMember } from "./storage.ts";

/** auth-js tries for half a minute to renew a session that has run out; the sign-in form does not wait for that. */
const LONGEST_READ_MS = 2_000;

export type Auth = ReturnType<typeof createAuth>;

interface Offer {
  client: GoTrueClient;
  session: Session;
  needsPassword: boolean;
}

/** What a member does with their session. Failures come back as the message to show; null means done. */
export function createAuth(backend: Backend) {
  const origin = { ...backend, url: backend.url || location.origin };
  const link = readMailLink(location.href);
  const client = memberClient(origin);

  let isLinkOpen = link !== null;
  let offer: Offer | null = null;
  const reportMember = ({ user }: Session, needsPassword: boolean) =>
    reportSession({
      status: "in",
      userId: user.id,
      email: user.email ?? "",
      needsPassword,
      offered: offer && (offer.session.user.email ?? ""),
    });

  const follow = (event: AuthChangeEvent | null, session: Session | null) => {
    const state = currentSession();
    // An answer that was still on its way when its session ended brings that back.
    if (event === "USER_UPDATED" && state.status === "out") localStorage.removeItem(SESSION_KEY);
    else if (session) {
      const isAsked = event !== "USER_UPDATED" && state.status === "in" && state.needsPassword;
      reportMember(session, event === "PASSWORD_RECOVERY" || isAsked);
    } else if (!isLinkOpen && state.status !== "out") {
      reportSession({ status: "out" });
    }
  };
  client.onAuthStateChange(follow);
  setTimeout(() => currentSession().status === "unknown" && follow(null, null), LONGEST_READ_MS);

  async function adopt({ session, needsPassword }: Omit<Offer, "client">): Promise<void> {
    const { access_token, refresh_token } = session;
    const { data } = await client.setSession({ access_token, refresh_token });
    if (data.session) reportMember(data.session, needsPassword);
  }

  /** Signs in with a link, or offers it where somebody else is signed in. Resolves to the message to show. */
  async function open(link: URLSearchParams): Promise<string | undefined> {
    const { data: live } = await client.getSession();
    const holder = live.session ? linkClient(origin) : client;
    const redeem = () => redeemLink(holder, link, backend.invitesWithTokens);
    const redeemed = await (link.get("code") ? keepingVerifier(redeem) : redeem());
    if ("problem" in redeemed) return redeemed.problem;
    if (!live.session) reportMember(redeemed.session, redeemed.needsPassword);
    else if (live.session.user.id === redeemed.session.user.id) await adopt(redeemed);
    else {
      offer = { client: holder, ...redeemed };
      reportMember(live.session, false);
    }
    return undefined;
  }

  if (link) {
    const ended = open(link).catch(() => NO_ANSWER);
    void ended.then((problem) => {
      isLinkOpen = false;
      // A link works once, and nobody should bookmark it.
      history.replaceState(history.state, "", location.pathname);
      if (currentSession().status !== "in") reportSession({ status: "out", ...(problem && { problem }) });
    });
  }

  return {
    data: createDataClient(origin, createMemberFetch(client, backend.key)),

    async signIn(email: string, password: string) {
      const { error } = await client.signInWithPassword({ email, password });
      return error && messageOf(error);
    },

    async signOut() {
      reportSession({ status: "out" });
      // auth-js would first try to renew what has run out, for half a minute where nobody answers.
      if (!storedMember()) localStorage.removeItem(SESSION_KEY);
      await client.signOut({ scope: "local" });
    },

    async sendRecovery(email: string) {
      const redirectTo = new URL("/profile", location.origin).href;
      const { error } = await client.resetPasswordForEmail(email, { redirectTo });
      return isAuthRetryableFetchError(error) ? NO_ANSWER : null;
    },

    async setPassword(password: string) {
      const { error } = await client.updateUser({ password });
      return error && messageOf(error);
    },

    async changePassword(current: string, next: string) {
      const error = await changePassword(client, origin, current, next);
      return error && messageOf(error);
    },

    async answerExchange(isAccepted: boolean) {
      const answered = offer;
      offer = null;
      const state = currentSession();
      if (state.status === "in") reportSession({ ...state, offered: null });
      if (!answered) return;
      if (isAccepted) await adopt(answered);
      else await answered.client.signOut({ scope: "local" });
    },
  };
}

function messageOf(error: AuthError): string {
  return isAuthApiError(error) || error.name === "AuthWeakPasswordError" ? error.message : NO_ANSWER;
}
