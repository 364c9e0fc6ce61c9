import { exportSPKI, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { LIMITS } from "../../server/config/limits.ts";
import { SITE, startTestAuth } from "../support/auth.ts";
import { type HostileProvider, sendJson, startHostileProvider } from "../support/hostile-provider.ts";
import { CLIENT } from "../support/identity-provider.ts";
import { errorOf, redirectOf, settingsOf, startFlow } from "../support/single-sign-on.ts";

const provider = await startHostileProvider();
const singleSignOn = settingsOf(provider);
const auth = await startTestAuth({ singleSignOn });
afterAll(async () => {
  await auth.stop();
  await provider.stop();
});

const ADA = { sub: "somebody", email: "ada@example.com", email_verified: true };

type IdToken = (nonce: string, provider: HostileProvider) => Promise<string>;

/** Starts a sign-in, lets the provider respond with the ID token, and returns the page that the browser sees. */
async function arrive(
  idToken: IdToken,
  userInfo: Record<string, unknown> = ADA,
  beforeCallback = () => undefined as unknown,
): Promise<URL> {
  provider.issue("", {});
  const request = new URL(await redirectOf(auth, await startFlow(auth.client())));
  const nonce = request.searchParams.get("nonce") ?? "";
  const state = request.searchParams.get("state") ?? "";
  provider.issue(await idToken(nonce, provider), userInfo);
  beforeCallback();
  const callback = new URLSearchParams({ code: "code", state });
  return new URL(await redirectOf(auth, `${SITE}/auth/v1/callback?${callback}`));
}

const valid: IdToken = (nonce) => provider.sign(provider.claims({ nonce }));

beforeEach(async () => {
  await auth.admin.query("delete from auth.users");
});

test("a valid ID token signs the person in", async () => {
  expect((await arrive(valid)).searchParams.get("code")).toBeTruthy();
});

test.each([-45, 45])("a provider's clock may be %i seconds off", async (seconds) => {
  const iat = Math.floor(Date.now() / 1000) + seconds;
  const page = await arrive((nonce) =>
    provider.sign(provider.claims({ nonce, iat, nbf: iat, exp: iat + 10 })),
  );
  expect(page.searchParams.get("code")).toBeTruthy();
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

const FORGERIES: [string, IdToken][] = [
  ["unsigned", async (nonce) => `${encode({ alg: "none" })}.${encode(provider.claims({ nonce }))}.`],
  [
    "signed with the client's secret",
    (nonce) =>
      new SignJWT(provider.claims({ nonce }))
        .setProtectedHeader({ alg: "HS256" })
        .sign(new TextEncoder().encode(CLIENT.clientSecret)),
  ],
  [
    "signed with the public key as an HMAC secret",
    async (nonce) =>
      new SignJWT(provider.claims({ nonce }))
        .setProtectedHeader({ alg: "HS256", kid: "key" })
        .sign(new TextEncoder().encode(await exportSPKI(provider.publicKey))),
  ],
  [
    "signed with another key of the same id",
    async (nonce) => {
      const { privateKey } = await generateKeyPair("RS256");
      const header = { alg: "RS256", kid: "key" };
      return new SignJWT(provider.claims({ nonce })).setProtectedHeader(header).sign(privateKey);
    },
  ],
  ["of another issuer", (nonce) => provider.sign(provider.claims({ nonce, iss: "https://evil.test" }))],
  ["for another client", (nonce) => provider.sign(provider.claims({ nonce, aud: "another" }))],
  [
    "for several clients",
    (nonce) => provider.sign(provider.claims({ nonce, aud: [CLIENT.clientId, "another"], azp: "another" })),
  ],
  ["of another sign-in", () => provider.sign(provider.claims({ nonce: "another" }))],
  ["without a nonce", () => provider.sign(provider.claims())],
  ["that has expired", (nonce) => provider.sign(provider.claims({ nonce, exp: 1_000_000_000 }))],
  ["of another person than userinfo", (nonce) => provider.sign(provider.claims({ nonce, sub: "another" }))],
  ["with an empty subject", (nonce) => provider.sign(provider.claims({ nonce, sub: "" }))],
  ["that isn't a token", async () => "garbage"],
  ["that is missing", async () => ""],
];

test.each(FORGERIES)("an ID token %s is rejected", async (_, idToken) => {
  const page = await arrive(idToken);
  expect(errorOf(page)).toMatchObject({ error: "server_error", error_code: "unexpected_failure" });
  expect((await auth.admin.query("select from auth.users")).rowCount).toBe(0);
});

test.each(["a".repeat(256), "zero\0", "two words", "ümlaut"])(
  "a subject that OpenID Connect forbids (%j) is rejected",
  async (sub) => {
    const page = await arrive((nonce) => provider.sign(provider.claims({ nonce, sub })), { ...ADA, sub });
    expect(errorOf(page)).toMatchObject({ error_code: "unexpected_failure" });
  },
);

test("an address in userinfo isn't verified by a claim of the ID token", async () => {
  const { email, sub } = ADA;
  const idToken: IdToken = (nonce) => provider.sign(provider.claims({ nonce, email_verified: true }));
  const page = await arrive(idToken, { email, sub });
  expect(errorOf(page)).toMatchObject({ error_code: "provider_email_needs_verification" });
});

test("the address may be in the ID token only", async () => {
  const { sub, ...claims } = ADA;
  const page = await arrive((nonce) => provider.sign(provider.claims({ nonce, ...claims })), { sub });
  expect(page.searchParams.get("code")).toBeTruthy();
});

describe("sign-in with a provider that fails", () => {
  const DISCOVERY = "/.well-known/openid-configuration";

  /** A new site, because sites keep the discovery document for an hour. */
  async function startSignIn(path: string, handler: Parameters<HostileProvider["handle"]>[1]) {
    const site = await startTestAuth({ singleSignOn }, auth);
    provider.issue("", {});
    provider.handle(path, handler);
    const started = performance.now();
    const page = new URL(await redirectOf(site, await startFlow(site.client(), `${SITE}/profile`)));
    const health = await site.request("health");
    return { page, health: health.status, ms: performance.now() - started };
  }

  async function expectFailure(handler: Parameters<HostileProvider["handle"]>[1]) {
    const { page, health, ms } = await startSignIn(DISCOVERY, handler);
    expect(page.pathname).toBe("/profile");
    expect(errorOf(page)).toMatchObject({ error: "server_error", error_code: "unexpected_failure" });
    expect(health).toBe(200);
    expect(ms).toBeLessThan(15_000);
  }

  test.each<[string, Parameters<HostileProvider["handle"]>[1]]>([
    ["responds with 500", (response) => sendJson(response, {}, 500)],
    ["responds with a page", (response) => response.end("<h1>It works!</h1>")],
    ["responds with a list", (response) => sendJson(response, [1, 2])],
    ["names another issuer", (response) => sendJson(response, { issuer: "https://evil.test" })],
    ["redirects elsewhere", (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
    ["closes the connection", (response) => response.destroy()],
    [
      "sends without end",
      (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const send = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        };
        response.on("drain", send);
        send();
      },
    ],
  ])("if its discovery document %s, the browser returns to the site with an error", async (_, handler) => {
    await expectFailure(handler);
  });

  test("if its discovery document doesn't respond, the browser returns to the site with an error", async () => {
    // The site waits for half a second instead of five.
    const startTimeout = AbortSignal.timeout.bind(AbortSignal);
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => startTimeout(ms / 10));
    onTestFinished(() => timeout.mockRestore());
    await expectFailure(() => undefined);
    expect(timeout).toHaveBeenCalledWith(LIMITS.provider.discoverySeconds * 1_000);
  });

  test.each<[string, Parameters<HostileProvider["handle"]>[1], object]>([
    [
      "/token",
      (response) => sendJson(response, { error: "invalid_client", error_description: "Wrong secret" }, 401),
      { step: "token", reason: "invalid_client", status: 401, detail: "Wrong secret" },
    ],
    [
      "/token",
      (response) => response.destroy(),
      { step: "token", detail: expect.stringMatching(/UND_ERR|ECONN/) },
    ],
    [
      "/token",
      (response) => sendJson(response, {}),
      { step: "token", detail: expect.stringContaining("access_token") },
    ],
    [
      "/userinfo",
      (response) => sendJson(response, {}, 500),
      { step: "userinfo", detail: expect.any(String) },
    ],
    [
      "/userinfo",
      (response) => sendJson(response, { sub: "other" }),
      { step: "userinfo", detail: expect.stringContaining("sub") },
    ],
  ])("a failure of %s is logged with its step and reason", async (path, handler, logged) => {
    const before = auth.lines.length;
    await arrive(valid, ADA, () => provider.handle(path, handler));
    const line = auth.lines.slice(before).find((each) => each.includes("sso.failed"));
    expect(JSON.parse(line ?? "{}")).toMatchObject(logged);
  });

  test("a wrong claim is logged by its name, without its value", async () => {
    const before = auth.lines.length;
    await arrive((nonce) => provider.sign(provider.claims({ nonce, aud: "another-client" })));
    const line = auth.lines.slice(before).find((each) => each.includes("sso.failed")) ?? "{}";
    expect(JSON.parse(line)).toMatchObject({ step: "token", detail: expect.stringContaining("aud") });
    expect(line).not.toContain("another-client");
  });

  test.each<[string, string, Parameters<HostileProvider["handle"]>[1]]>([
    ["token endpoint responds with 500", "/token", (response) => sendJson(response, {}, 500)],
    ["token endpoint responds with garbage", "/token", (response) => response.end("\0\0")],
    ["token endpoint closes the connection", "/token", (response) => response.destroy()],
    ["keys are garbage", "/jwks", (response) => sendJson(response, { keys: "none" })],
    ["userinfo is a list", "/userinfo", (response) => sendJson(response, [ADA])],
    ["userinfo is forbidden", "/userinfo", (response) => sendJson(response, {}, 403)],
  ])("if its %s, the browser returns to the site with an error", async (_, path, handler) => {
    const page = await arrive(valid, ADA, () => provider.handle(path, handler));
    expect(errorOf(page)).toMatchObject({ error: "server_error", error_code: "unexpected_failure" });
  });

  test("the next sign-in works once the provider is back", async () => {
    const page = await arrive(valid);
    expect(page.searchParams.get("code")).toBeTruthy();
  });
});
