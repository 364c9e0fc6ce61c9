import { randomUUID } from "node:crypto";
import * as oidc from "openid-client";
import type { Settings } from "../../config/settings.ts";
import type { SingleSignOn } from "../../config/single-sign-on.ts";
import type { Log } from "../../http/log.ts";
import type { AuthHandler, AuthTransaction } from "../auth-env.ts";
import { GoTrueError, invalid } from "../auth-error.ts";
import { type Challenge, readChallenge } from "../pkce.ts";
import { safeRedirect } from "../redirects.ts";
import { createProviderCode, pageLink } from "../store/link-tokens.ts";
import { findOrCreateMember, PROVIDER } from "./account.ts";
import { createEncryption } from "./encryption.ts";
import { type Checks, type Credential, createProvider } from "./provider.ts";
import { providerLogout } from "./provider-logout.ts";
import { createSessionCheck } from "./session-check.ts";
import { errorPage, failureOf, isScopeRejection } from "./sign-in-error.ts";

/** How long a person can take to sign in at the provider. */
const STATE_LIFETIME = "15m";
const MAX_REDIRECT_CHARACTERS = 1_000;

/**
 * The state of a sign-in between its two requests. The parameter `state` contains it, encrypted, so opening /authorize
 * stores nothing in the database.
 */
interface Flow extends Checks {
  id: string;
  redirectTo: string;
  /** The challenge of the client that started the sign-in. Only that client can redeem the code (RFC 9700 §2.1.1). */
  challenge: Challenge;
  /** True in the second attempt, after the provider has rejected the scope `offline_access`. */
  isWithoutOfflineAccess?: true;
}

interface SingleSignOnDependencies {
  settings: SingleSignOn;
  redirects: Pick<Settings, "siteUrl" | "redirectUrls">;
  transaction: AuthTransaction;
  secret: string;
  log: Log;
  onWrite(): void;
}

/** Sign-in at the configured provider: GoTrue's internal/api/external.go, for the provider `oidc`. */
export function createSingleSignOn({
  settings,
  redirects,
  transaction,
  secret,
  log,
  onWrite,
}: SingleSignOnDependencies) {
  const provider = createProvider(settings, `${redirects.siteUrl}/auth/v1/callback`);
  const states = createEncryption<Flow>(secret, "state");
  const credentials = createEncryption<Credential>(secret, "credential");

  const refuse = (requestId: string, redirectTo: string, error: unknown) => {
    log.warn({ requestId, ...failureOf(error) }, "sso.failed");
    return errorPage(redirectTo, error);
  };

  /** Sends the browser to the provider. */
  const authorize: AuthHandler = async (c) => {
    const parameter = (name: string) => c.req.query(name) ?? "";
    if (parameter("provider") !== PROVIDER) throw invalid("Unsupported provider: provider is not enabled");
    const challenge = readChallenge(parameter("code_challenge"), parameter("code_challenge_method"));
    if (challenge?.method !== "s256") {
      throw invalid("Signing in at a provider requires PKCE with the code_challenge_method s256");
    }
    const requestedRedirect = parameter("redirect_to");
    const redirectTo = safeRedirect(
      requestedRedirect.length > MAX_REDIRECT_CHARACTERS ? "" : requestedRedirect,
      redirects,
    );
    return c.redirect(await start(c.var.requestId, { redirectTo, challenge }), 302);
  };

  /** Returns the provider's page, or the site's page with an error. */
  async function start(
    requestId: string,
    flow: Pick<Flow, "redirectTo" | "challenge" | "isWithoutOfflineAccess">,
  ): Promise<string> {
    const checks = { nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
    const state = await states.encrypt({ id: randomUUID(), ...flow, ...checks }, STATE_LIFETIME);
    return provider
      .authorizationUrl(state, checks, !flow.isWithoutOfflineAccess)
      .catch((error: unknown) => refuse(requestId, flow.redirectTo, error));
  }

  /** Receives the provider's response, and sends the browser back with a code for the client that started the sign-in. */
  const callback: AuthHandler = async (c) => {
    const query = new URL(c.req.url).searchParams;
    const state = query.get("state") ?? "";
    const flow = await states.decrypt(state);
    const { requestId } = c.var;
    // The provider's page must not learn the code from the header Referer of a later request.
    c.header("Referrer-Policy", "no-referrer");
    if (flow === undefined) {
      return c.redirect(refuse(requestId, `${redirects.siteUrl}/profile`, badState()), 302);
    }
    try {
      const { identity, credential } = await provider.signIn(query, state, flow);
      const encrypted = await credentials.encrypt(credential);
      const { code, ...member } = await transaction(async (client) => {
        const signedIn = await findOrCreateMember(client, identity, settings);
        const code = await createProviderCode(client, {
          ...flow,
          ...signedIn,
          provider: PROVIDER,
          encrypted,
        });
        // Each state is good for one code.
        if (code === undefined) throw badState();
        return { ...signedIn, code };
      });
      log.info({ requestId, ...member }, "sso.signed_in");
      if (member.isNew) onWrite();
      return c.redirect(pageLink(flow.redirectTo, { code }), 302);
    } catch (error) {
      if (!flow.isWithoutOfflineAccess && isScopeRejection(error)) {
        log.info({ requestId, ...failureOf(error) }, "sso.offline_access_rejected");
        const { redirectTo, challenge } = flow;
        const again = await start(requestId, { redirectTo, challenge, isWithoutOfflineAccess: true });
        return c.redirect(again, 302);
      }
      return c.redirect(refuse(requestId, flow.redirectTo, error), 302);
    }
  };

  const checkProviderSession = createSessionCheck(
    transaction,
    provider,
    credentials,
    settings.operatorGroups,
    log,
  );
  const logout = providerLogout({ transaction, provider, credentials, log });
  return { authorize, callback, checkProviderSession, logout };
}

function badState(): GoTrueError {
  return new GoTrueError(400, "bad_oauth_state", "OAuth state is invalid or has expired");
}
