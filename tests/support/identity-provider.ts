import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import Provider, { type Configuration } from "oidc-provider";

export interface ProviderPerson extends Record<string, unknown> {
  sub: string;
  email?: string | undefined;
  email_verified?: unknown;
  name?: unknown;
  groups?: unknown;
}

export const CLIENT = { clientId: "techfolio", clientSecret: "a secret of the tests, with + and %" };

/** A real OpenID Connect provider (the package oidc-provider) on 127.0.0.1. */
export interface IdentityProvider {
  issuer: string;
  redirectUri: string;
  /** The person who signs in next, without any further interaction. If undefined, they press Cancel. */
  setPerson(person: ProviderPerson | undefined): void;
  /** The provider no longer knows the person: it rejects their tokens. */
  removePerson(sub: string): void;
  /** Replaces the provider's signing key. */
  rotateKeys(): Promise<void>;
  /** Replaces the provider's responses, for example with errors. */
  intercept(handler: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined): void;
  /** The paths of all requests. */
  requests: string[];
  stop(): Promise<void>;
}

interface ProviderOptions {
  redirectUri: string;
  issuesRefreshTokens?: boolean;
}

export async function startIdentityProvider(options: ProviderOptions): Promise<IdentityProvider> {
  const people = new Map<string, ProviderPerson>();
  const requests: string[] = [];
  let person: ProviderPerson | undefined;
  let intercepted: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  let provider: Provider;

  const server = createServer((request, response) => {
    requests.push((request.url ?? "").split("?")[0] ?? "");
    if (intercepted?.(request, response)) return;
    if (request.url?.startsWith("/interaction/")) void finishInteraction(request, response);
    else void provider.callback()(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function finishInteraction(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const result = person
      ? { login: { accountId: person.sub, remember: false } }
      : { error: "access_denied", error_description: "<b>The person cancelled</b>" };
    await provider.interactionFinished(request, response, result);
  }

  const create = async () =>
    new Provider(issuer, {
      ...configuration(options),
      jwks: { keys: [await newKey()] },
      findAccount: (_, id) => {
        const found = people.get(id);
        return found && { accountId: id, claims: () => found };
      },
    });
  provider = await create();

  return {
    issuer,
    redirectUri: options.redirectUri,
    requests,
    setPerson(next) {
      person = next;
      if (next) people.set(next.sub, next);
    },
    removePerson: (sub) => void people.delete(sub),
    async rotateKeys() {
      provider = await create();
    },
    intercept(handler) {
      intercepted = handler;
    },
    stop: () => close(server),
  };
}

async function newKey() {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), use: "sig", alg: "RS256" };
}

function configuration({ redirectUri, issuesRefreshTokens = false }: ProviderOptions): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    claims: { email: ["email", "email_verified"], profile: ["name", "groups"] },
    cookies: { keys: ["a key of the tests"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: async () => issuesRefreshTokens,
    // Everyone has already consented.
    async loadExistingGrant({ oidc }) {
      const { client, provider, session } = oidc;
      const owner = { clientId: client?.clientId ?? "", accountId: session?.accountId ?? "" };
      const grant = new provider.Grant(owner);
      grant.addOIDCScope("openid email profile offline_access");
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, IdToken: 3600, RefreshToken: 86_400, Session: 3600 },
  };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

/**
 * Follows redirects as a browser does, from the address of `authorize` until the provider redirects back to the site.
 * Returns the address of the site's callback.
 */
export async function visitProvider(start: string, callback: string): Promise<string> {
  const cookies = new Map<string, string>();
  let address = start;
  for (let step = 0; step < 10 && !address.startsWith(callback); step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(address, { headers: { cookie }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`The provider responded with ${response.status}`);
    address = new URL(location, address).href;
  }
  return address;
}
