import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { AuthenticationError, createTokens } from "./access-token.ts";
import { identifyCaller } from "./caller.ts";

const tokens = createTokens("a secret of more than thirty-two bytes");
const sub = "2c0d0f6e-5b0c-4c43-9d0b-0d8f4f1d8b11";
const hour = () => Math.floor(Date.now() / 1000) + 3600;

const anonKey = await tokens.sign({ role: "anon" });
const serviceKey = await tokens.sign({ role: "service_role" });
const member = await tokens.sign({ role: "authenticated", sub, exp: hour() });

const identify = (headers: Record<string, string>) => identifyCaller(tokens, new Headers(headers));
const rejection = (refusal: string) => expect.objectContaining({ name: "AuthenticationError", refusal });

describe("identifying a client by API key and bearer token", () => {
  test("the API key identifies a client that sends no bearer token", async () => {
    expect(await identify({ apikey: anonKey })).toEqual({ role: "anon", claims: { role: "anon" } });
    expect(await identify({ apikey: serviceKey })).toMatchObject({ role: "service_role" });
  });

  test("a bearer token takes precedence over the API key", async () => {
    expect(await identify({ apikey: serviceKey, authorization: `Bearer ${member}` })).toMatchObject({
      role: "authenticated",
      claims: { sub },
    });
    expect(await identify({ apikey: anonKey, authorization: `Bearer ${anonKey}` })).toMatchObject({
      role: "anon",
    });
  });

  test("a bearer token works without an API key, and the word Bearer is case-insensitive", async () => {
    expect(await identify({ authorization: `bearer ${member}` })).toMatchObject({ role: "authenticated" });
  });

  test("a request with neither an API key nor a bearer token is rejected", async () => {
    await expect(identify({})).rejects.toEqual(rejection("missing"));
  });

  test("a forged API key or bearer token is rejected even if the other one is valid", async () => {
    await expect(identify({ apikey: "x", authorization: `Bearer ${member}` })).rejects.toEqual(
      rejection("invalid"),
    );
    await expect(identify({ apikey: anonKey, authorization: "Bearer x" })).rejects.toEqual(
      rejection("invalid"),
    );
  });

  test.each(["Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "x", "Bearer a, Bearer b"])(
    "the malformed Authorization header %j is rejected even with a valid API key",
    async (authorization) => {
      await expect(identify({ apikey: serviceKey, authorization })).rejects.toEqual(rejection("invalid"));
    },
  );
});

describe("clocks of processes that differ", () => {
  test.each([
    [2, true, false],
    [20, true, true],
    [29, true, true],
    [35, false, true],
    [600, false, true],
  ])(
    "a token that seems to be issued in %i seconds: accepted %s, warning %s",
    async (seconds, isAccepted, isWarned) => {
      const skews: number[] = [];
      const { sign, verify } = createTokens("a secret of more than thirty-two bytes", (skew) =>
        skews.push(skew),
      );
      const iat = Math.floor(Date.now() / 1000) + seconds;
      const token = await sign({ role: "authenticated", sub, iat, exp: hour() });
      const result = verify(token).then(
        () => true,
        () => false,
      );
      expect(await result).toBe(isAccepted);
      expect(skews.length > 0).toBe(isWarned);
    },
  );
});

describe("checking the claims of a token", () => {
  test.each([
    "postgres",
    "authenticator",
    "supabase_auth_admin",
    "supabase_admin",
    "none",
    "",
    "ANON",
    "anon ",
    5,
    null,
    undefined,
  ])("a token with the role %j is rejected", async (role) => {
    await expect(identify({ apikey: await tokens.sign({ role: role as string }) })).rejects.toEqual(
      rejection("role"),
    );
  });

  test.each([undefined, "", "1", "not-a-uuid", 5])(
    "a member's token with the sub %j is rejected",
    async (id) => {
      const token = await tokens.sign({ role: "authenticated", sub: id as string, exp: hour() });
      await expect(identify({ apikey: token })).rejects.toEqual(rejection("invalid"));
    },
  );

  test.each([null, "", 1, "x", {}])("a token with the session_id %j is rejected", async (session) => {
    const claims = { role: "authenticated", sub, exp: hour(), session_id: session as string };
    const token = await tokens.sign(claims);
    await expect(identify({ apikey: token })).rejects.toEqual(rejection("invalid"));
  });

  test("a token is rejected before its nbf time", async () => {
    const token = await tokens.sign({ role: "authenticated", sub, exp: hour() + 60, nbf: hour() });
    await expect(identify({ apikey: token })).rejects.toEqual(rejection("invalid"));
  });
});

describe("checking the lifetime of a token", () => {
  const at = Math.floor(Date.now() / 1000);
  const identifyMember = async (times: object) =>
    identify({ authorization: `Bearer ${await tokens.sign({ role: "authenticated", sub, ...times })}` });

  test.each([
    ["without an expiry time", {}],
    ["whose expiry time is not a number", { exp: "9999999999" }],
    ["that expires in eight days", { iat: at, exp: at + 8 * 24 * 3600 }],
    ["that expires in three centuries", { exp: at + 9_500_000_000 }],
    ["that was issued an hour in the future", { iat: at + 3600, exp: at + 7200 }],
  ])("a member's token %s is rejected", async (_, times) => {
    await expect(identifyMember(times)).rejects.toEqual(rejection("invalid"));
  });

  test("a member's token can last a week, even if the issuer's clock is a few seconds ahead", async () => {
    expect(await identifyMember({ iat: at + 5, exp: at + 7 * 24 * 3600 })).toMatchObject({ claims: { sub } });
  });

  test.each(["anon", "service_role"])(
    "an API key with the role %s has no limit on its lifetime",
    async (role) => {
      expect(await identify({ apikey: await tokens.sign({ role }) })).toMatchObject({ role });
      const times = { iat: at + 3600, exp: at + 9_500_000_000 };
      expect(await identify({ apikey: await tokens.sign({ role, ...times }) })).toMatchObject({ role });
    },
  );

  test("a token that was accepted before is rejected after it expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const headers = { apikey: await tokens.sign({ role: "authenticated", sub, exp: hour() }) };
      await identify(headers);
      vi.setSystemTime(hour() * 1000);
      await expect(identify(headers)).rejects.toEqual(rejection("expired"));
    } finally {
      vi.useRealTimers();
    }
  });
});

test("changing any character of a token except the last one invalidates it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.constantFrom(..."AZaz09-_."), async (position, letter) => {
      const at = position % member.length;
      const forged = `${member.slice(0, at)}${letter}${member.slice(at + 1)}`;
      // A token's last letter also encodes bits that are not part of the signature, so a change may leave the token
      // valid.
      fc.pre(forged !== member && at < member.length - 1);
      await expect(identify({ authorization: `Bearer ${forged}` })).rejects.toBeInstanceOf(
        AuthenticationError,
      );
    }),
  );
});
