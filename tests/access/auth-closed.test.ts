import { afterAll, describe, expect, test } from "vitest";
import { createPipeline } from "../../server/api/pipeline.ts";
import { createAuth } from "../../server/auth/auth-routes.ts";
import { readSettings } from "../../server/config/settings.ts";
import { createLog } from "../../server/http/log.ts";
import { openDatabase } from "../../server/postgres/database.ts";
import { newAddress, SITE, startTestAuth } from "../support/auth.ts";
import { inProcess } from "../support/in-process.ts";

const auth = await startTestAuth();
const member = await auth.member();
afterAll(() => auth.stop());

async function accounts(): Promise<number> {
  return (await auth.admin.query("select count(*)::int as n from auth.users")).rows[0].n;
}

describe("sign-up is closed", () => {
  test("supabase-js's methods for sign-up, anonymous sign-in, one-time passwords and resending create no account and send no email", async () => {
    const before = await accounts();
    const { auth: client } = auth.client();
    const email = "new@example.com";
    const codes = [
      await client.signUp({ email, password: "let me in" }),
      await client.signUp({ phone: "+41790000000", password: "let me in" }),
      await client.signInAnonymously(),
      await client.signInWithOtp({ email }),
      await client.signInWithOtp({ phone: "+41790000000" }),
      await client.resend({ type: "signup", email }),
    ].map(({ error }) => error?.code);
    expect(codes).toEqual([...Array(5).fill("signup_disabled"), "feature_disabled"]);
    expect(await accounts()).toBe(before);
    expect(auth.mails).toEqual([]);
  });

  test.each([
    ["POST", "signup", { email: "new@example.com", password: "let me in" }, 422, "signup_disabled"],
    ["POST", "signup", {}, 422, "signup_disabled"],
    ["POST", "signup?grant_type=password", { email: "new@example.com" }, 422, "signup_disabled"],
    ["POST", "otp", { email: "new@example.com", create_user: true }, 422, "signup_disabled"],
    ["POST", "magiclink", { email: "new@example.com" }, 422, "signup_disabled"],
    ["POST", "token?grant_type=web3", {}, 400, "invalid_credentials"],
    ["POST", "token?grant_type=id_token", {}, 400, "invalid_credentials"],
    ["POST", "token?grant_type=client_credentials", {}, 400, "invalid_credentials"],
    ["POST", "token", {}, 400, "invalid_credentials"],
    ["POST", "sso", {}, 404, "feature_disabled"],
    ["POST", "factors", {}, 404, "feature_disabled"],
    ["POST", "oauth/clients/register", {}, 404, "feature_disabled"],
    ["PUT", "signup", { email: "new@example.com", password: "let me in" }, 404, "feature_disabled"],
    ["POST", "admin/users/", { email: "new@example.com" }, 403, "not_admin"],
    ["POST", "/admin/users", { email: "new@example.com" }, 404, "feature_disabled"],
  ])("%s %s with %j gets %i %s and creates no account", async (method, path, body, status, code) => {
    const before = await accounts();
    const response = await auth.request(path, { method, body: JSON.stringify(body) });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error_code: code });
    expect(await accounts()).toBe(before);
  });

  test("/signup, /otp and /magiclink respond identically to known and unknown email addresses", async () => {
    for (const path of ["signup", "otp", "magiclink"]) {
      const [known, unknown] = await Promise.all(
        [member.email, "nobody@example.com"].map((email) =>
          auth.post(path, { email, password: "let me in", type: "signup", create_user: false }),
        ),
      );
      expect(known?.status).toBe(unknown?.status);
      expect(await known?.text()).toBe(await unknown?.text());
    }
  });

  test("/auth/v1/settings reports that sign-up is closed, and /auth/v1/authorize returns 404", async () => {
    const settings = await (await auth.request("settings")).json();
    expect(settings).toMatchObject({
      disable_signup: true,
      external: { email: true, phone: false, anonymous_users: false },
    });
    expect((await auth.request("authorize?provider=google")).status).toBe(404);
  });
});

describe("error responses of the auth service", () => {
  test("an error has the format of the API version that the client requests", async () => {
    const wrong = { email: member.email, password: "wrong" };
    const old = await auth.post("token?grant_type=password", wrong);
    expect(await old.json()).toEqual({
      code: 400,
      error_code: "invalid_credentials",
      msg: "Invalid login credentials",
    });
    expect(old.headers.get("x-supabase-api-version")).toBeNull();
    for (const version of ["2024-01-01", "2030-12-31"]) {
      const coded = await auth.post("token?grant_type=password", wrong, {
        "x-supabase-api-version": version,
      });
      expect(await coded.json()).toEqual({
        code: "invalid_credentials",
        message: "Invalid login credentials",
      });
      expect(coded.headers.get("x-supabase-api-version")).toBe("2024-01-01");
    }
    const broken = await auth.post("token?grant_type=password", wrong, { "x-supabase-api-version": "soon" });
    expect(await broken.json()).toMatchObject({ error_code: "invalid_credentials" });
  });

  test("responses of the auth service forbid caching", async () => {
    const responses = [
      await auth.post("token?grant_type=password", member),
      await auth.post("token?grant_type=password", { ...member, password: "wrong" }),
      await auth.request("user"),
      await auth.request("settings"),
    ];
    for (const response of responses) expect(response.headers.get("cache-control")).toBe("no-store");
  });
});

describe("protection against requests from forms on other sites", () => {
  const json = "application/json";
  const writes: [method: string, path: string, body: object][] = [
    ["POST", "token?grant_type=password", { email: "x@example.com", password: "wrong" }],
    ["POST", "token?grant_type=refresh_token", { refresh_token: "x" }],
    ["POST", "recover", { email: "x@example.com" }],
    ["POST", "verify", { type: "recovery", token_hash: "x" }],
    ["POST", "signup", {}],
    ["POST", "otp", {}],
    ["POST", "magiclink", {}],
    ["POST", "logout", { scope: "global" }],
    ["PUT", "user", { data: {} }],
    ["POST", "invite", { email: "x@example.com" }],
    ["POST", "admin/generate_link", { type: "recovery", email: "x@example.com" }],
    ["POST", "admin/users", { email: "x@example.com" }],
    ["PUT", "admin/users/00000000-0000-0000-0000-000000000001", { data: {} }],
    ["DELETE", "admin/users/00000000-0000-0000-0000-000000000001", {}],
  ];

  /** Sends a request with these headers. `auth.request` adds the public key, unless they contain `apikey`. */
  function send(method: string, path: string, body: object, headers: Record<string, string>, from?: string) {
    const text = JSON.stringify(body);
    const init = { method, body: text, headers: { "content-length": `${text.length}`, ...headers } };
    return auth.request(path, init, from);
  }

  test.each(writes)("%s %s is rejected without an API key", async (method, path, body) => {
    const response = await send(method, path, body, { apikey: "", "content-type": json });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error_code: "no_authorization" });
  });

  test.each(writes)("%s %s is rejected with a content type other than JSON", async (method, path, body) => {
    const { data } = await auth.client().auth.signInWithPassword(member);
    const isMembers = path === "user" || path === "logout";
    const token = isMembers ? data.session?.access_token : auth.keys.serviceKey;
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/jsonp",
      "",
    ]) {
      const response = await send(method, path, body, {
        authorization: `Bearer ${token}`,
        "content-type": type,
      });
      expect(response.status, type).toBe(415);
    }
  });

  test.each([
    ["without a key", { apikey: "", "content-type": json }, 401],
    ["with a text body", { "content-type": "text/plain" }, 415],
  ])(
    "requests %s count toward neither the sign-in limit nor the recovery email limit",
    async (_, headers, status) => {
      const address = newAddress();
      for (let count = 0; count < 40; count += 1) {
        const wrong = { email: member.email, password: "wrong" };
        expect((await send("POST", "token?grant_type=password", wrong, headers, address)).status).toBe(
          status,
        );
        expect((await send("POST", "recover", wrong, headers, address)).status).toBe(status);
      }
      expect(auth.mails).toEqual([]);
      const signedIn = await auth.post("token?grant_type=password", member, {}, address);
      expect(signedIn.status).toBe(200);
      await auth.post("recover", { email: member.email }, {}, address);
      await expect.poll(() => auth.mails.length).toBe(1);
      auth.mails.length = 0;
    },
  );

  test("the content type application/json is accepted with a charset and in any letter case, and a sign-out needs no body", async () => {
    const type = { "content-type": "Application/JSON; charset=utf-8" };
    const response = await send("POST", "token?grant_type=password", member, type);
    expect(response.status).toBe(200);
    const { access_token } = await response.json();
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await auth.request("logout", { method: "POST", headers })).status).toBe(204);
  });
});

describe("the public API key", () => {
  test("a sign-in accepts the public key as the API key or as a bearer token, and rejects a forged key in either place", async () => {
    const signIn = (headers: Record<string, string>) =>
      auth.post("token?grant_type=password", member, headers);
    const { anonKey } = auth.keys;
    const forged = `${anonKey.slice(0, -4)}AAAA`;
    expect((await signIn({ apikey: anonKey })).status).toBe(200);
    expect((await signIn({ apikey: "", authorization: `Bearer ${anonKey}` })).status).toBe(200);
    expect((await signIn({ apikey: forged })).status).toBe(401);
    expect((await signIn({ apikey: "", authorization: `Bearer ${forged}` })).status).toBe(403);
  });

  test("a refresh with a valid API key succeeds, even if the bearer token has expired", async () => {
    const { data } = await auth.client().auth.signInWithPassword(member);
    const expired = await auth.tokens.sign({ role: "authenticated", sub: member.id, exp: 1 });
    const body = { refresh_token: data.session?.refresh_token };
    const response = await auth.post("token?grant_type=refresh_token", body, {
      authorization: `Bearer ${expired}`,
    });
    expect(response.status).toBe(200);
  });

  test("/auth/v1/user rejects a request without a member's token, even with the public key as a bearer token", async () => {
    const headers = { authorization: `Bearer ${auth.keys.anonKey}` };
    const response = await auth.request("user", { headers });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error_code: "bad_jwt" });
    expect((await auth.request("user")).status).toBe(401);
  });
});

describe("the auth service without a database", () => {
  test("a sign-in gets 503 with Retry-After if the database is unreachable, and is not logged as a failed sign-in", async () => {
    // No server listens on port 1, so every connection is refused.
    const database = openDatabase({ connectionString: "postgres://nobody@127.0.0.1:1/none" });
    const lines: string[] = [];
    const log = createLog((line) => void lines.push(line));
    const service = createAuth({
      pipeline: createPipeline({ database, tokens: auth.tokens, log, trustedProxies: 0 }),
      linkKey: "a secret of the tests",
      sendEmail: async () => {},
      sendLater() {},
      settings: readSettings({ SITE_URL: SITE }),
      onWrite() {},
    });
    const app = inProcess(service);
    const body = JSON.stringify(member);
    const headers = { apikey: auth.keys.anonKey, "content-type": "application/json" };
    const response = await app.request("/token?grant_type=password", { method: "POST", headers, body });
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(lines.join("")).not.toContain("sign_in.failed");
    const failure = lines.map((line) => JSON.parse(line)).find(({ event }) => event === "auth.failed");
    expect(failure).toMatchObject({ error: "DatabaseUnavailableError", reason: "ECONNREFUSED" });
    expect((await app.request("/health")).status).toBe(200);
    await database.close();
  });
});
