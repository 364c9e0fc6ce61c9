import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import { CLIENT } from "./identity-provider.ts";

type Claims = Record<string, unknown>;
type Handler = (response: ServerResponse) => void;

/** A provider with responses that a test can forge. All requests for tokens get the same ones. */
export interface HostileProvider {
  issuer: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  /** Replaces the responses of a path such as `/token`. */
  handle(path: string, handler: Handler): void;
  /** Forgets all replaced responses, and returns tokens with these claims from now on. */
  issue(idToken: string, userInfo: Claims): void;
  /** Returns the claims of a valid ID token. */
  claims(changes?: Claims): Claims;
  sign(claims: Claims, alg?: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startHostileProvider(): Promise<HostileProvider> {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const handlers = new Map<string, Handler>();
  let defaults = new Map<string, unknown>();
  const server = createServer(({ url = "" }, response) => {
    const path = url.split("?")[0] ?? "";
    const handler = handlers.get(path);
    if (handler) return handler(response);
    sendJson(response, defaults.get(path) ?? {}, defaults.has(path) ? 200 : 404);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    // A hostile or careless provider may allow everything.
    id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
  };
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "key", use: "sig" }] };

  return {
    issuer,
    privateKey,
    publicKey,
    handle: (path, handler) => void handlers.set(path, handler),
    issue(idToken, userInfo) {
      handlers.clear();
      defaults = new Map<string, unknown>([
        ["/.well-known/openid-configuration", metadata],
        ["/jwks", jwks],
        ["/token", { access_token: "access", token_type: "Bearer", expires_in: 3600, id_token: idToken }],
        ["/userinfo", userInfo],
      ]);
    },
    claims(changes = {}) {
      const now = Math.floor(Date.now() / 1000);
      const times = { iat: now, exp: now + 300 };
      return { iss: issuer, aud: CLIENT.clientId, sub: "somebody", ...times, ...changes };
    },
    sign: (claims, alg = "RS256") =>
      new SignJWT(claims).setProtectedHeader({ alg, kid: "key" }).sign(privateKey),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
