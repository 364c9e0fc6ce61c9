import { SignJWT } from "jose";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Claims, createTokens, type Refusal } from "./access-token.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const NOW = Date.UTC(2026, 10, 29) / 1_000;
const WEEK = 7 * 24 * 3_600;

function tokensAt(seconds: number, onClockSkew?: (seconds: number) => void) {
  vi.useFakeTimers({ toFake: ["Date"], now: seconds * 1_000 });
  onTestFinished(() => void vi.useRealTimers());
  return createTokens(SECRET, onClockSkew);
}

const member = (more: Partial<Claims> = {}): Claims => ({
  role: "authenticated",
  sub: "ada",
  iat: NOW,
  exp: NOW + 3_600,
  ...more,
});

const refusalOf = (result: Promise<unknown>): Promise<Refusal | undefined> =>
  result.then(
    () => undefined,
    (error) => error.refusal,
  );

test("a signed token is verified with its claims, the second time as well", async () => {
  const tokens = tokensAt(NOW);
  const token = await tokens.sign(member());
  const head = JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
  expect(head).toEqual({ alg: "HS256", typ: "JWT" });
  for (let use = 0; use < 2; use++) expect(await tokens.verify(token)).toEqual(member());
});

test.each<[string, Claims, Refusal | undefined]>([
  ["without an end", member({ exp: undefined }), "invalid"],
  ["that is valid for a week", member({ exp: NOW + WEEK + 30 }), undefined],
  ["that is valid for longer than a week", member({ exp: NOW + WEEK + 31 }), "invalid"],
  ["that ends now", member({ exp: NOW }), "expired"],
  ["that ends in a second", member({ exp: NOW + 1 }), undefined],
  ["that was issued 30 seconds in the future", member({ iat: NOW + 30 }), undefined],
  ["that was issued later", member({ iat: NOW + 31 }), "invalid"],
  ["without the time of its issue", member({ iat: undefined }), undefined],
])("whether a member's token %s is refused", async (_, claims, refusal) => {
  const tokens = tokensAt(NOW);
  expect(await refusalOf(tokens.verify(await tokens.sign(claims)))).toBe(refusal);
});

test.each(["anon", "service_role"])(
  "a key with the role %s may have no end, or a late one, but not a past one",
  async (role) => {
    const tokens = tokensAt(NOW);
    const refusals = [undefined, NOW + 10 * 365 * 24 * 3_600, NOW - 1].map(async (exp) =>
      refusalOf(tokens.verify(await tokens.sign({ role, iat: NOW + 3_600, ...(exp && { exp }) }))),
    );
    expect(await Promise.all(refusals)).toEqual([undefined, undefined, "expired"]);
  },
);

test("a token that was valid expires, although its signature has been verified before", async () => {
  const tokens = tokensAt(NOW);
  const token = await tokens.sign(member());
  await tokens.verify(token);
  vi.setSystemTime((NOW + 3_600) * 1_000);
  expect(await refusalOf(tokens.verify(token))).toBe("expired");
});

test("a token with another secret, another algorithm or changed claims is refused", async () => {
  const tokens = tokensAt(NOW);
  const token = await tokens.sign(member());
  const [head, claims, signature] = token.split(".");
  const operator = Buffer.from(JSON.stringify(member({ role: "service_role" }))).toString("base64url");
  const unsigned = Buffer.from('{"alg":"none"}').toString("base64url");
  const forged = [
    await createTokens("another secret of thirty-two bytes").sign(member()),
    await new SignJWT(member()).setProtectedHeader({ alg: "HS512" }).sign(new TextEncoder().encode(SECRET)),
    `${head}.${operator}.${signature}`,
    `${unsigned}.${claims}.`,
    `${head}.${claims}.`,
    "",
    "a.b.c",
  ];
  for (const text of forged) expect(await refusalOf(tokens.verify(text))).toBe("invalid");
});

test("a difference of clocks above 3 seconds is reported in whole seconds, for members' tokens only", async () => {
  const onClockSkew = vi.fn();
  const tokens = tokensAt(NOW, onClockSkew);
  for (const claims of [
    member({ iat: NOW + 3 }),
    member({ iat: NOW - 20 }),
    member({ iat: undefined }),
    { role: "anon", iat: NOW + 20 },
  ])
    await tokens.verify(await tokens.sign(claims));
  expect(onClockSkew).not.toHaveBeenCalled();
  await tokens.verify(await tokens.sign(member({ iat: NOW + 20.4 })));
  expect(onClockSkew.mock.calls).toEqual([[20]]);
});
