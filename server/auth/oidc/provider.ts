import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from "jose";
import { LRUCache } from "lru-cache";
import * as oidc from "openid-client";
import { LIMITS } from "../../config/limits.ts";
import type { SingleSignOn } from "../../config/single-sign-on.ts";
import { readGroups, readIdentity } from "./identity.ts";
import { limitedFetch } from "./limited-fetch.ts";
import { causeOf, inStep } from "./sign-in-error.ts";

export const CLOCK_TOLERANCE_SECONDS = 60;
const METADATA_LIFETIME_MS = 3_600_000;

/** The event in a logout token (OpenID Connect Back-Channel Logout 1.0, §2.4). */
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** A repeated token must not end sessions that began later. */
const LOGOUT_TOKEN_LIFETIME = "5m";

/** A token of the provider. The site uses it later to check that the provider still accepts the sign-in. */
export interface Credential {
  kind: "refresh_token" | "access_token";
  token: string;
  subject: string;
  /** The source that had the person's groups at the sign-in. If it omits the claim later, the person has no groups. */
  groupsIn?: "userinfo" | "id_token";
  /** The provider's name for the person's session, which a back-channel logout may name. */
  sid?: string;
}

/** Ties the provider's response to one authorization request (OpenID Connect Core §3.1.2.1, RFC 7636). */
export interface Checks {
  nonce: string;
  verifier: string;
}

export interface Confirmation {
  credential: Credential;
  /** Undefined if the provider didn't say. */
  groups: string[] | undefined;
}

/** A person's logout at the provider. */
export interface Logout {
  issuer: string;
  subject: string;
  /** If set, only the sessions that began with this session at the provider end. */
  sid?: string;
}

export type Provider = ReturnType<typeof createProvider>;

type ProviderSettings = Pick<SingleSignOn, "issuer" | "clientId" | "clientSecret">;

/** A client of the OpenID Connect provider. All methods throw if the provider is unreachable or its response invalid. */
export function createProvider(settings: ProviderSettings, redirectUri: string) {
  const metadata = new LRUCache<string, oidc.ServerMetadata>({
    max: 1,
    ttl: METADATA_LIFETIME_MS,
    fetchMethod: () => discover(settings),
  });

  let keys: { url: string; find: JWTVerifyGetKey } | undefined;

  /** Returns the provider's public keys for logout tokens. They are fetched again if a token has an unknown key. */
  function keysAt(url: string): JWTVerifyGetKey {
    if (keys?.url !== url) {
      keys = { url, find: createRemoteJWKSet(new URL(url), { [customFetch]: limitedFetch as typeof fetch }) };
    }
    return keys.find;
  }

  async function connect(
    timeoutSeconds: number = LIMITS.provider.signInSeconds,
  ): Promise<oidc.Configuration> {
    const server = await inStep("discovery", metadata.forceFetch(""));
    // A new configuration has no keys yet, so each sign-in fetches the provider's current ones.
    const config = configure(server, settings);
    config.timeout = timeoutSeconds;
    return config;
  }

  return {
    /**
     * Returns the address at which a person signs in. Requests a refresh token if the provider lists the scope, unless
     * `hasOfflineAccess` is false.
     */
    async authorizationUrl(
      state: string,
      { nonce, verifier }: Checks,
      hasOfflineAccess = true,
    ): Promise<string> {
      const config = await connect();
      const offersIt = config.serverMetadata().scopes_supported?.includes("offline_access");
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: `openid email profile${offersIt && hasOfflineAccess ? " offline_access" : ""}`,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return url.href;
    },

    /** Exchanges the code from the provider's redirect for an identity. `query` is the query of the redirect's URL. */
    async signIn(query: URLSearchParams, state: string, { nonce, verifier }: Checks) {
      const config = await connect();
      const grant = oidc.authorizationCodeGrant(config, new URL(`?${query}`, redirectUri), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const tokens = await inStep("token", grant);
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("The provider returned no ID token");
      const { access_token, refresh_token } = tokens;
      const userInfo = config.serverMetadata().userinfo_endpoint
        ? await inStep("userinfo", oidc.fetchUserInfo(config, access_token, claims.sub))
        : {};
      const identity = readIdentity(claims, userInfo);
      const groupsIn = "groups" in userInfo ? "userinfo" : "groups" in claims && "id_token";
      const credential: Credential = {
        subject: claims.sub,
        ...(groupsIn && { groupsIn }),
        ...(typeof claims["sid"] === "string" && { sid: claims["sid"] }),
        ...(refresh_token
          ? { kind: "refresh_token", token: refresh_token }
          : { kind: "access_token", token: access_token }),
      };
      return { identity, credential };
    },

    /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, §2.6). Throws if it is invalid or has no `sub`. */
    async readLogoutToken(token: string): Promise<Logout> {
      const { issuer, jwks_uri = "" } = await inStep("discovery", metadata.forceFetch(""));
      const verified = jwtVerify(token, keysAt(jwks_uri), {
        issuer,
        audience: settings.clientId,
        algorithms: ALGORITHMS,
        maxTokenAge: LOGOUT_TOKEN_LIFETIME,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ["jti", "sub"],
      });
      const { payload } = await inStep("token", verified);
      const { sub: subject = "", sid, events, nonce } = payload;
      const isLogout = typeof events === "object" && events !== null && LOGOUT_EVENT in events;
      if (!isLogout || nonce !== undefined) throw new Error("The token isn't a logout token");
      return { issuer, subject, ...(typeof sid === "string" && { sid }) };
    },

    /**
     * Asks whether the provider still accepts the sign-in. Returns the credential for the next check and, with
     * `wantsGroups`, the person's groups now. Returns undefined if the provider rejects the credential. Throws if the
     * provider doesn't say either.
     */
    async confirm(credential: Credential, wantsGroups = false): Promise<Confirmation | undefined> {
      const config = await connect(LIMITS.provider.checkSeconds);
      const { kind, subject, groupsIn } = credential;
      const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined;
      const readUserInfo = (token: string) => oidc.fetchUserInfo(config, token, subject);
      try {
        if (kind === "access_token") {
          const userInfo = hasUserInfo ? await readUserInfo(credential.token) : undefined;
          return { credential, groups: readGroups(userInfo, groupsIn === "userinfo") };
        }
        const tokens = await oidc.refreshTokenGrant(config, credential.token);
        const { refresh_token: token, access_token } = tokens;
        const userInfo =
          wantsGroups && hasUserInfo && groupsIn !== "id_token"
            ? // The old token may no longer be valid, so a failure must not lose the new one.
              await readUserInfo(access_token).catch(() => undefined)
            : undefined;
        return {
          credential: token ? { ...credential, token } : credential,
          groups:
            readGroups(userInfo, groupsIn === "userinfo") ??
            readGroups(tokens.claims(), groupsIn === "id_token"),
        };
      } catch (error) {
        if (isRejection(error)) return undefined;
        throw error;
      }
    },
  };
}

/** The algorithms of ID tokens that the site accepts: those with a public key. */
export const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** Fetches the discovery document. Throws if it is missing, invalid or names another issuer. */
export async function discover(
  { issuer, ...settings }: ProviderSettings,
  fetchDocument: oidc.CustomFetch = limitedFetch,
): Promise<oidc.ServerMetadata> {
  const config = await oidc.discovery(issuer, settings.clientId, undefined, undefined, {
    timeout: LIMITS.provider.discoverySeconds,
    [oidc.customFetch]: fetchDocument,
    execute: issuer.protocol === "http:" ? [oidc.allowInsecureRequests] : [],
  });
  return config.serverMetadata();
}

function configure(server: oidc.ServerMetadata, settings: ProviderSettings): oidc.Configuration {
  const { clientId, clientSecret, issuer } = settings;
  // OpenID Connect Discovery §3: providers that list no methods accept only `client_secret_basic`.
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authenticate = methods.includes("client_secret_basic")
    ? oidc.ClientSecretBasic(clientSecret)
    : oidc.ClientSecretPost(clientSecret);
  const client = { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const config = new oidc.Configuration(server, clientId, client, authenticate);
  config[oidc.customFetch] = limitedFetch;
  // Also check the ID token's signature, with an algorithm that uses the provider's public keys.
  oidc.enableNonRepudiationChecks(config);
  if (issuer.protocol === "http:") oidc.allowInsecureRequests(config);
  return config;
}

/** Other errors, such as a wrong client secret, say nothing about the person's sign-in. */
function isRejection(error: unknown): boolean {
  const cause = causeOf(error);
  if (cause instanceof oidc.ResponseBodyError) return cause.error === "invalid_grant";
  return cause instanceof oidc.WWWAuthenticateChallengeError && cause.status === 401;
}
