import {
  type AuthChangeEvent,
  type AuthError,
  type GoTrueClient,
  isAuthApiError,
  isAuthRetryableFetchError,
  type PasskeyListItem,
  type Provider,
  type Session,
} from "@supabase/auth-js";
import { type BackendAddress, createDataClient } from "../../common/data/client.ts";
import {
  dropProviderVerifier,
  linkClient,
  memberClient,
  memoryClient,
  providerPage,
  readVerifier,
  VERIFIER_KEY,
} from "./auth-clients.ts";
import { createsAccount, type MailLink, type NewAccount, setsPassword } from "./mail-link.ts";
import { createMemberFetch } from "./member-fetch.ts";
import { additionProblem, isAfterChoice, signInProblem } from "./passkey-problems.ts";
import { join, previewLink, redeemLink } from "./redeem-link.ts";
import { currentSession, reportSession, SERVICE_UNREACHABLE, type SignInLink } from "./session.ts";
import {
  forgetNameless,
  hasPassword,
  isOperator,
  needsPassword,
  requireNoPassword,
  requirePassword,
  SESSION_KEY,
  storedMember,
} from "./storage.ts";

/**
 * If the session hasn't been read after this time, the sign-in form is shown. Without a limit, members would wait half a
 * minute while the auth service is down, because auth-js keeps trying to refresh an expired session.
 */
const SESSION_READ_TIMEOUT_MS = 2_000;

const ACCOUNT_READY = "Your account is ready. You can sign in now.";

export type Auth = ReturnType<typeof createAuth>;

/** Creates the auth client of this browser. Methods that can fail resolve to the error message to show, or to null. */
export function createAuth(backend: BackendAddress, mailLink: MailLink | null) {
  const origin = { ...backend, url: backend.url || location.origin };
  const client = memberClient(origin);
  const memberFetch = createMemberFetch(client, backend.key);
  let passwordChecker: GoTrueClient | undefined;
  let passkeyChecker: GoTrueClient | undefined;

  let isPreviewing = mailLink !== null;
  let link: SignInLink | undefined;

  function report(session: Session | null, problem?: string): void {
    if (session) {
      const { id, email = "" } = session.user;
      reportSession({
        status: "in",
        userId: id,
        email,
        hasPassword: hasPassword(session.user),
        isOperator: isOperator(session.user),
        needsPassword: needsPassword(id),
        link,
        problem,
      });
    } else {
      reportSession({ status: "out", ...(link && { link }), ...(problem && { problem }) });
    }
  }

  const onAuthEvent = (event: AuthChangeEvent | null, session: Session | null) => {
    const state = currentSession();
    // If a password change finishes after sign-out, auth-js has stored the session again: remove it.
    if (event === "USER_UPDATED" && state.status === "out") localStorage.removeItem(SESSION_KEY);
    else if (session) {
      if (event === "PASSWORD_RECOVERY") requirePassword(session.user.id);
      if (event === "USER_UPDATED") requireNoPassword();
      report(session, state.status === "in" ? state.problem : undefined);
    } else if (!isPreviewing && state.status !== "out") {
      report(null);
    }
  };
  client.onAuthStateChange(onAuthEvent);
  setTimeout(() => currentSession().status === "unknown" && onAuthEvent(null, null), SESSION_READ_TIMEOUT_MS);

  /** The session of the link. A link works only once, so an attempt after a lost connection needs this session. */
  let linkSession: Session | undefined;

  async function redeem(opened: MailLink): Promise<string | null> {
    const { isRecovery } = readVerifier();
    if (!linkSession) {
      const redeemed = await redeemLink(linkClient(origin), opened, link?.email ?? "", isRecovery);
      if ("problem" in redeemed) return redeemed.problem;
      linkSession = redeemed.session;
    }
    const { access_token, refresh_token, user } = linkSession;
    const offered = link;
    link = undefined;
    // Require the password before setting the session, so that the first reported state already asks for it.
    if (setsPassword(opened, isRecovery)) requirePassword(user.id);
    const { error } = await client.setSession({ access_token, refresh_token });
    if (opened.form === "code" && isRecovery) localStorage.removeItem(VERIFIER_KEY);
    dropProviderVerifier();
    if (error) link = offered;
    return error && authErrorMessage(error);
  }

  async function createAccount(token: string, account?: NewAccount): Promise<string | null> {
    const { data } = await client.getSession();
    // The member has agreed to leave this session. The link stays, and its form is shown next.
    if (data.session) await client.signOut({ scope: "local" });
    if (link?.setsPassword && !account) return null;
    const joined = await join(origin, token, account);
    if ("problem" in joined) return joined.problem;
    link = undefined;
    if (!joined.session) {
      reportSession({ status: "out", notice: ACCOUNT_READY });
      return null;
    }
    const { error } = await client.setSession(joined.session);
    return error && authErrorMessage(error);
  }

  /**
   * Shows the account that the link belongs to, but doesn't redeem it yet, because mail scanners also open links. Redeems
   * a sign-in at a provider without asking, because this browser has just started it, unless it would replace another
   * account's session.
   */
  async function offerLink(opened: MailLink): Promise<void> {
    const { data } = await client.getSession();
    const { verifier, isRecovery } = readVerifier();
    const endsSignIn = opened.form === "code" && !isRecovery;
    const preview =
      endsSignIn && !data.session
        ? { email: "" }
        : await previewLink(origin, opened, verifier).catch(() => ({ problem: SERVICE_UNREACHABLE }));
    if ("problem" in preview) {
      isPreviewing = false;
      return report(data.session, preview.problem);
    }
    if (endsSignIn && (!data.session || data.session.user.email === preview.email)) {
      const problem = await redeem(opened).catch(() => SERVICE_UNREACHABLE);
      isPreviewing = false;
      if (problem !== null) report(data.session, problem);
      return;
    }
    isPreviewing = false;
    const isNew = opened.form === "token" && createsAccount(opened);
    link = {
      email: preview.email,
      setsPassword: preview.setsPassword ?? setsPassword(opened, isRecovery),
      names: preview.names,
      isInvitation: isNew || ("type" in opened && opened.type === "invite"),
      createsAccount: isNew,
      redeem: (account) => (isNew ? createAccount(opened.token_hash, account) : redeem(opened)),
      dismiss() {
        link = undefined;
        void client.getSession().then(({ data }) => report(data.session));
      },
    };
    // Opening the link creates the account if the member chooses no password (contract, "Invitation links").
    if (isNew && !link.setsPassword && !data.session) {
      const problem = await link.redeem().catch(() => SERVICE_UNREACHABLE);
      if (problem === null) return;
      link = undefined;
      return report(null, problem);
    }
    report(data.session);
  }

  // This tab has left the provider's page without a code.
  if (mailLink?.form !== "code") dropProviderVerifier();
  if (mailLink) void offerLink(mailLink);

  return {
    data: createDataClient(origin, memberFetch),
    /** Sends the member's access token. For requests to the site's own server. */
    fetch: memberFetch,
    /** The backend's URL and key, for libraries that send their own requests, such as the storage client. */
    origin,
    async accessToken() {
      const { data } = await client.getSession();
      return data.session?.access_token ?? backend.key;
    },

    async signIn(email: string, password: string) {
      requireNoPassword();
      const { error } = await client.signInWithPassword({ email, password });
      return error && authErrorMessage(error);
    },

    async signInWithPasskey() {
      requireNoPassword();
      const { error } = await client.signInWithPasskey();
      return error && signInProblem(error);
    },

    /**
     * Offers passkeys in the email field's own list until `signal` is aborted. Resolves to a message only if the visitor
     * chose one that doesn't work. Earlier failures stay silent: the visitor has not asked for anything yet.
     */
    async offerPasskeys(signal: AbortSignal) {
      requireNoPassword();
      const { error } = await client.signInWithPasskey({ options: { mediation: "conditional", signal } });
      return error && isAfterChoice(error) ? signInProblem(error) : null;
    },

    /** Opens the page of an identity provider, which sends the browser back to /profile. */
    async signInAt(provider: string) {
      requireNoPassword();
      const redirectTo = new URL("/profile", location.origin).href;
      const page = await providerPage(origin, provider as Provider, redirectTo).catch(() => null);
      if (page === null) return SERVICE_UNREACHABLE;
      location.assign(page);
      return null;
    },

    /** Replaces the session with one that begins now, and ends the old one. */
    async signInAgain(password: string) {
      const { data: before } = await client.getSession();
      const email = before.session?.user.email ?? "";
      const { error } = await client.signInWithPassword({ email, password });
      if (error) return authErrorMessage(error);
      if (before.session) await client.admin.signOut(before.session.access_token, "local");
      return null;
    },

    /** Like `signInAgain`. The passkey must belong to the same account. */
    async signInAgainWithPasskey() {
      const { data: before } = await client.getSession();
      passkeyChecker ??= memoryClient(origin, "techfolio.passkey-check");
      const { data, error } = await passkeyChecker.signInWithPasskey();
      if (error) return signInProblem(error);
      const { session } = data;
      if (!session || session.user.id !== before.session?.user.id) {
        await passkeyChecker.signOut({ scope: "local" });
        return "That passkey belongs to another account.";
      }
      const { access_token, refresh_token } = session;
      const { error: lost } = await client.setSession({ access_token, refresh_token });
      if (lost) return authErrorMessage(lost);
      await client.admin.signOut(before.session.access_token, "local");
      return null;
    },

    passkeys: {
      /** Returns null if the list can't be read. */
      async list(): Promise<PasskeyListItem[] | null> {
        return (await client.passkey.list()).data;
      },
      /** Calls `signInAgain` if the last sign-in is too old, and tries again if it resolves to true. */
      async add(signInAgain: () => Promise<boolean>) {
        let { error } = await client.registerPasskey();
        if (error?.code === "reauthentication_needed" && (await signInAgain())) {
          ({ error } = await client.registerPasskey());
        }
        return error && additionProblem(error);
      },
      async rename(passkeyId: string, friendlyName: string) {
        const { error } = await client.passkey.update({ passkeyId, friendlyName });
        return error && authErrorMessage(error);
      },
      /** Also succeeds if the passkey no longer exists. */
      async remove(passkeyId: string) {
        const { error } = await client.passkey.delete({ passkeyId });
        return error && error.status !== 404 ? authErrorMessage(error) : null;
      },
    },

    async signOut() {
      reportSession({ status: "out" });
      requireNoPassword();
      forgetNameless();
      // Remove an expired session first: auth-js would try to refresh it, for half a minute if the service is down.
      if (!storedMember()) localStorage.removeItem(SESSION_KEY);
      await client.signOut({ scope: "local" });
    },

    async sendRecovery(email: string) {
      const redirectTo = new URL("/profile", location.origin).href;
      const { error } = await client.resetPasswordForEmail(email, { redirectTo });
      return isAuthRetryableFetchError(error) ? SERVICE_UNREACHABLE : null;
    },

    async setPassword(password: string) {
      const { error } = await client.updateUser({ password });
      return error && authErrorMessage(error);
    },

    /** Checks the current password by signing in, because hosted Supabase checks it only if the project requires it. */
    async changePassword(current: string, next: string) {
      const { data } = await client.getSession();
      const email = data.session?.user.email;
      if (email) {
        passwordChecker ??= memoryClient(origin, "techfolio.password-check");
        const { error } = await passwordChecker.signInWithPassword({ email, password: current });
        if (error) return authErrorMessage(error);
        await passwordChecker.signOut({ scope: "local" });
      }
      const { error } = await client.updateUser({ password: next, current_password: current });
      return error && authErrorMessage(error);
    },
  };
}

function authErrorMessage(error: AuthError): string {
  // A Supabase project's own message is "User is banned".
  if (error.code === "user_banned" && /banned/.test(error.message)) return "This account is suspended";
  return isAuthApiError(error) || error.name === "AuthWeakPasswordError"
    ? error.message
    : SERVICE_UNREACHABLE;
}
