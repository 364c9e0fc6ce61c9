import {
  type AuthChangeEvent,
  type AuthError,
  type GoTrueClient,
  isAuthApiError,
  isAuthRetryableFetchError,
  type Session,
} from "@supabase/auth-js";
import { type Backend, createDataClient } from "../data/client.ts";
import { keepingVerifier, linkClient, memberClient, memoryClient } from "./clients.ts";
import { readMailLink } from "./mail-link.ts";
import { createMemberFetch } from "./member-fetch.ts";
import { type Redeemed, redeemLink } from "./redeem-link.ts";
import { currentSession, NO_ANSWER, type Offer, reportSession } from "./session.ts";
import { needsPassword, requireNoPassword, requirePassword, SESSION_KEY, storedMember } from "./storage.ts";

/** auth-js tries for half a minute to renew a session that has run out; the sign-in form does not wait for that. */
const LONGEST_READ_MS = 2_000;

export type Auth = ReturnType<typeof createAuth>;

/** What a member does with their session. Failures come back as the message to show; null means done. */
export function createAuth(backend: Backend) {
  const origin = { ...backend, url: backend.url || location.origin };
  const link = readMailLink(location.href);
  const client = memberClient(origin);
  let passwordChecker: GoTrueClient | undefined;

  let isLinkOpen = link !== null;
  function reportMember({ user: { id, email = "" } }: Session, offer: Offer | null = null, problem?: string) {
    reportSession({ status: "in", userId: id, email, needsPassword: needsPassword(id), offer, problem });
  }

  const follow = (event: AuthChangeEvent | null, session: Session | null) => {
    const state = currentSession();
    // An answer that was still on its way when its session ended brings that back.
    if (event === "USER_UPDATED" && state.status === "out") localStorage.removeItem(SESSION_KEY);
    else if (session) {
      if (event === "PASSWORD_RECOVERY") requirePassword(session.user.id);
      if (event === "USER_UPDATED") requireNoPassword();
      if (state.status === "in") reportMember(session, state.offer, state.problem);
      else reportMember(session);
    } else if (!isLinkOpen && state.status !== "out") {
      reportSession({ status: "out" });
    }
  };
  client.onAuthStateChange(follow);
  setTimeout(() => currentSession().status === "unknown" && follow(null, null), LONGEST_READ_MS);

  function welcome({ session, needsPassword }: Redeemed): void {
    if (needsPassword) requirePassword(session.user.id);
    reportMember(session);
  }

  async function adopt({ session, needsPassword }: Redeemed): Promise<void> {
    const { access_token, refresh_token } = session;
    const { data } = await client.setSession({ access_token, refresh_token });
    if (data.session) welcome({ session: data.session, needsPassword });
  }

  /** Signs in with a link, or offers it where somebody else is signed in. Resolves to the message to show. */
  async function open(link: URLSearchParams): Promise<string | undefined> {
    const { data: live } = await client.getSession();
    const holder = live.session ? linkClient(origin) : client;
    const redeem = () => redeemLink(holder, link, backend.invitesWithTokens);
    const redeemed = await (link.get("code") ? keepingVerifier(redeem) : redeem());
    if ("problem" in redeemed) return redeemed.problem;
    if (!live.session) welcome(redeemed);
    else if (live.session.user.id === redeemed.session.user.id) await adopt(redeemed);
    else {
      const answer = async (isAccepted: boolean) => {
        const state = currentSession();
        // A dialog that closes says no once more.
        if (state.status !== "in" || !state.offer) return;
        reportSession({ ...state, offer: null });
        if (isAccepted) await adopt(redeemed);
        else await holder.signOut({ scope: "local" });
      };
      reportMember(live.session, { email: redeemed.session.user.email ?? "", answer });
    }
    return undefined;
  }

  if (link) {
    const ended = open(link).catch(() => NO_ANSWER);
    void ended.then((problem) => {
      isLinkOpen = false;
      // A link works once, and nobody should bookmark it.
      history.replaceState(history.state, "", location.pathname);
      const state = currentSession();
      if (state.status !== "in") reportSession({ status: "out", ...(problem && { problem }) });
      else if (problem) reportSession({ ...state, problem });
    });
  }

  return {
    data: createDataClient(origin, createMemberFetch(client, backend.key)),

    async signIn(email: string, password: string) {
      requireNoPassword();
      const { error } = await client.signInWithPassword({ email, password });
      return error && messageOf(error);
    },

    async signOut() {
      reportSession({ status: "out" });
      requireNoPassword();
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

    /** Signs in first: a hosted project ignores `current_password` unless its settings ask for it. */
    async changePassword(current: string, next: string) {
      const { data } = await client.getSession();
      const email = data.session?.user.email;
      if (email) {
        passwordChecker ??= memoryClient(origin, "techfolio.password-check");
        const { error } = await passwordChecker.signInWithPassword({ email, password: current });
        if (error) return messageOf(error);
        await passwordChecker.signOut({ scope: "local" });
      }
      const { error } = await client.updateUser({ password: next, current_password: current });
      return error && messageOf(error);
    },
  };
}

function messageOf(error: AuthError): string {
  return isAuthApiError(error) || error.name === "AuthWeakPasswordError" ? error.message : NO_ANSWER;
}
