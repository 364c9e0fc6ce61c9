import {
  type AuthChangeEvent,
  type AuthError,
  GoTrueClient,
  isAuthApiError,
  isAuthRetryableFetchError,
  type Session,
} from "@supabase/auth-js";
import { type Backend, createDataClient, type DataClient } from "../data/client.ts";
import { type AuthAnswer, readAuthAnswer, withoutAuthAnswer } from "./auth-answer.ts";
import { changePassword } from "./change-password.ts";
import { fetchInTime } from "./fetch-in-time.ts";
import { createMemberFetch } from "./member-fetch.ts";
import { NO_ANSWER, type SessionState } from "./state.ts";
import { forgetSession, SESSION_KEY } from "./storage.ts";

const DEAD_LINK = "This link is invalid or has expired. Please ask for a new one.";
const OTHER_BROWSER = "Please open the link in the browser in which you asked for it, or ask for a new one.";

/** How long a server that does not answer may hold up a member who wants to be signed out. */
const LONGEST_SIGN_OUT_MS = 5_000;

/** What a member does with his session. Failures come back as the message to show; null means done. */
export interface Auth {
  /** Reads and writes with the member's token, which is renewed when it has to be. */
  data: DataClient;
  signIn(email: string, password: string): Promise<string | null>;
  /** Ends the session in this browser, whatever happens, and on the server if it answers. */
  signOut(): Promise<void>;
  /** Takes an e-mail address, asks for a recovery mail; the same answer for every address. */
  sendRecovery(email: string): Promise<string | null>;
  setPassword(password: string): Promise<string | null>;
  changePassword(current: string, next: string): Promise<string | null>;
  /** Takes what to call with the session: now, and at every event in this tab or another. Returns how to end that. */
  subscribe(listener: (state: SessionState) => void): () => void;
  /** Looks again at what this browser holds, and tells the listeners. */
  reread(): Promise<void>;
}

let opened: Auth | undefined;

/** Takes the backend, returns the one auth client of this page. */
export function openAuth(backend: Backend): Auth {
  opened ??= createAuth(backend);
  return opened;
}

function createAuth(backend: Backend): Auth {
  const origin = { ...backend, url: backend.url || location.origin };
  const answer = readAuthAnswer(location.href);
  const client = new GoTrueClient({
    url: `${origin.url}/auth/v1`,
    headers: { apikey: backend.key, Authorization: `Bearer ${backend.key}` },
    storageKey: SESSION_KEY,
    flowType: "pkce",
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
    fetch: fetchInTime,
  });

  const listeners = new Set<(state: SessionState) => void>();
  let state: SessionState = { status: "unknown" };
  let isAnswerOpen = answer !== null;
  const report = (next: SessionState) => {
    state = next;
    for (const listener of listeners) listener(next);
  };

  // Calls nothing of the client's: a callback that waits for it would wait for itself (supabase/supabase-js#2013).
  const follow = (event: AuthChangeEvent | null, session: Session | null) => {
    if (session) {
      const needsPassword =
        event === "PASSWORD_RECOVERY" ||
        (event !== "USER_UPDATED" && state.status === "in" && state.needsPassword);
      report({ status: "in", userId: session.user.id, needsPassword });
    } else if (!isAnswerOpen && state.status !== "out") {
      report({ status: "out" });
    }
  };
  client.onAuthStateChange(follow);

  if (answer) {
    const opened = openAnswer(client, answer).catch(() => failed(NO_ANSWER));
    void opened.then(({ problem, needsPassword }) => {
      isAnswerOpen = false;
      history.replaceState(history.state, "", withoutAuthAnswer(location.href));
      if (state.status === "in") report({ ...state, needsPassword: state.needsPassword || needsPassword });
      else report({ status: "out", ...(problem && { problem }) });
    });
  }

  return {
    data: createDataClient(origin, createMemberFetch(client, backend.key)),

    async signIn(email, password) {
      const { error } = await client.signInWithPassword({ email, password });
      return error && messageOf(error);
    },

    async signOut() {
      // Of this session only: a member who leaves one device stays signed in on the others.
      const ended = client.signOut({ scope: "local" }).then(
        ({ error }) => !error,
        () => false,
      );
      const overdue = new Promise<boolean>((resolve) => setTimeout(resolve, LONGEST_SIGN_OUT_MS, false));
      if (await Promise.race([ended, overdue])) return;
      forgetSession();
      report({ status: "out" });
    },

    async sendRecovery(email) {
      const redirectTo = new URL("/profile", location.origin).href;
      const { error } = await client.resetPasswordForEmail(email, { redirectTo });
      return isAuthRetryableFetchError(error) ? NO_ANSWER : null;
    },

    async setPassword(password) {
      const { error } = await client.updateUser({ password });
      return error && messageOf(error);
    },

    async changePassword(current, next) {
      const error = await changePassword(client, origin, current, next);
      return error && messageOf(error);
    },

    subscribe(listener) {
      listeners.add(listener);
      if (state.status !== "unknown") listener(state);
      return () => listeners.delete(listener);
    },

    async reread() {
      const { data } = await client.getSession();
      follow(null, data.session);
    },
  };
}

/** What the service says; what a broken connection says is of no use to anybody. */
function messageOf(error: AuthError): string {
  return isAuthApiError(error) || error.name === "AuthWeakPasswordError" ? error.message : NO_ANSWER;
}

/** What came of an answer in the address: why it failed, and whether a password is to be chosen. */
interface Opened {
  problem: string | null;
  needsPassword: boolean;
}

const failed = (problem: string): Opened => ({ problem, needsPassword: false });

/** Takes the answer in the address, signs in with it, returns what came of it. */
async function openAnswer(client: GoTrueClient, answer: AuthAnswer): Promise<Opened> {
  const { error: exchangeError } = await client.initialize();
  switch (answer.kind) {
    case "failure":
      return failed(DEAD_LINK);
    case "code": {
      const { data } = await client.getSession();
      if (data.session) return { problem: null, needsPassword: false };
      return failed(exchangeError ? DEAD_LINK : OTHER_BROWSER);
    }
    case "link": {
      const { tokenHash: token_hash, type } = answer;
      const { error } = await client.verifyOtp({ token_hash, type });
      return error ? failed(linkProblem(error)) : { problem: null, needsPassword: asksForPassword(type) };
    }
    case "tokens": {
      const { accessToken: access_token, refreshToken: refresh_token, type } = answer;
      const { error } = await client.setSession({ access_token, refresh_token });
      return error ? failed(linkProblem(error)) : { problem: null, needsPassword: asksForPassword(type) };
    }
  }
}

function linkProblem(error: AuthError): string {
  return isAuthRetryableFetchError(error) ? NO_ANSWER : DEAD_LINK;
}

function asksForPassword(type: string): boolean {
  return type === "invite" || type === "recovery";
}
