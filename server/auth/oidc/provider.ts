import { LRUCache } from "lru-cache";
import * as oidc from "openid-client";
import * as v from "valibot";
import { LIMITS } from "../../config/limits.ts";
import type { SingleSignOn } from "../../config/single-sign-on.ts";
import { limitedFetch } from "./limited-fetch.ts";

const CLOCK_TOLERANCE_SECONDS = 60;
const METADATA_LIFETIME_MS = 3_600_000;

/** The provider's statements about a person. People may choose the texts themselves, so they can contain anything. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  groups: string[];
}

/** A token of the provider. The site uses it later to check that the provider still accepts the sign-in. */
export interface Credential {
  kind: "refresh_token" | "access_token";
  token: string;
  subject: string;
  /** The source that had the person's groups at the sign-in. If it omits the claim later, the person has no groups. */
  groupsIn?: "userinfo" | "id_token";
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

export type Provider = ReturnType<typeof createProvider>;

type ProviderSettings = Pick<SingleSignOn, "issuer" | "clientId" | "clientSecret">;

/** A client of the OpenID Connect provider. All methods throw if the provider is unreachable or its response invalid. */
export function createProvider(settings: ProviderSettings, redirectUri: string) {
  const metadata = new LRUCache<string, oidc.ServerMetadata>({
    max: 1,
    ttl: METADATA_LIFETIME_MS,
    fetchMethod: () => discover(settings),
  });

  async function connect(
    timeoutSeconds: number = LIMITS.provider.signInSeconds,
  ): Promise<oidc.Configuration> {
    const server = await metadata.forceFetch("");
    // A new configuration has no keys yet, so each sign-in fetches the provider's current ones.
    const config = configure(server, settings);
    config.timeout = timeoutSeconds;
    return config;
  }

  return {
    /** Returns the address at which a person signs in. */
    async authorizationUrl(state: string, { nonce, verifier }: Checks): Promise<string> {
      const config = await connect();
      const hasOfflineAccess = config.serverMetadata().scopes_supported?.includes("offline_access");
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: `openid email profile${hasOfflineAccess ? " offline_access" : ""}`,
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
      const tokens = await oidc.authorizationCodeGrant(config, new URL(`?${query}`, redirectUri), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("The provider returned no ID token");
      const { access_token, refresh_token } = tokens;
      const userInfo = config.serverMetadata().userinfo_endpoint
        ? await oidc.fetchUserInfo(config, access_token, claims.sub)
        : {};
      const identity = readIdentity(claims, userInfo);
      const groupsIn = "groups" in userInfo ? "userinfo" : "groups" in claims && "id_token";
      const credential: Credential = {
        subject: claims.sub,
        ...(groupsIn && { groupsIn }),
        ...(refresh_token
          ? { kind: "refresh_token", token: refresh_token }
          : { kind: "access_token", token: access_token }),
      };
      return { identity, credential };
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

/** Fetches the discovery document. Throws if it is missing, invalid or names another issuer. */
export async function discover({ issuer, ...settings }: ProviderSettings): Promise<oidc.ServerMetadata> {
  const config = await oidc.discovery(issuer, settings.clientId, undefined, undefined, {
    timeout: LIMITS.provider.discoverySeconds,
    [oidc.customFetch]: limitedFetch,
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

const TEXT = v.fallback(v.string(), "");
const CLAIMS = v.object({
  email: TEXT,
  // Some providers send the text "true". Only the boolean counts, as OpenID Connect Core §5.1 says.
  email_verified: v.fallback(v.boolean(), false),
  name: TEXT,
});
const GROUPS = v.fallback(v.array(v.string()), []);

/** The subject is a key in the database. OpenID Connect Core §2 limits it to 255 ASCII characters. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

/**
 * Providers put these claims into the ID token, the response of `userinfo`, or both. An address and whether it is
 * verified must be from the same source.
 */
function readIdentity(idToken: oidc.IDToken, userInfo: object): Identity {
  if (!SUBJECT.test(idToken.sub)) throw new Error("The provider's subject identifier is invalid");
  const { email, email_verified, name } = v.parse(CLAIMS, "email" in userInfo ? userInfo : idToken);
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email,
    isEmailVerified: email_verified,
    name: name || v.parse(TEXT, Reflect.get(userInfo, "name") ?? idToken["name"]),
    groups: v.parse(GROUPS, Reflect.get(userInfo, "groups") ?? idToken["groups"]),
  };
}

function readGroups(claims: object | undefined, isSource: boolean): string[] | undefined {
  if (claims === undefined || !(isSource || "groups" in claims)) return undefined;
  return v.parse(GROUPS, Reflect.get(claims, "groups"));
}

/** Other errors, such as a wrong client secret, say nothing about the person's sign-in. */
function isRejection(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.error === "invalid_grant";
  return error instanceof oidc.WWWAuthenticateChallengeError && error.status === 401;
}
