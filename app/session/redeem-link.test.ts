import { AuthError, type GoTrueClient, type Session } from "@supabase/auth-js";
import { expect, test } from "vitest";
import { readMailLink } from "./mail-link.ts";
import { redeemLink } from "./redeem-link.ts";

const SITE = "https://techfolio.test/profile";
const DEAD_LINK = { problem: "This link is invalid or has expired. Please ask for a new one." };
const session = { access_token: "of the link" } as Session;

const refused = { data: { session: null }, error: new AuthError("refused") };

/** Says what it is asked, and takes `code`, `token_hash` and tokens that are called "good" or "recovery". */
function clientOf(asked: unknown[]): GoTrueClient {
  const answer = (request: object) => {
    asked.push(request);
    const isGood = Object.values(request).every((value) => ["good", "invite", "recovery"].includes(value));
    return Promise.resolve(isGood ? { data: { session }, error: null } : refused);
  };
  return {
    exchangeCodeForSession: async (code: string) => {
      const { data, error } = await answer({ code });
      return { data: { ...data, redirectType: code === "recovery" ? "recovery" : null }, error };
    },
    verifyOtp: answer,
    setSession: answer,
  } as unknown as GoTrueClient;
}

async function redeem(rest: string, invitesWithTokens: boolean) {
  const asked: unknown[] = [];
  const link = readMailLink(SITE + rest);
  return { answer: link && (await redeemLink(clientOf(asked), link, invitesWithTokens)), asked };
}

test.each(["", "?q=select", "?code=", "?type=invite", "#3f2a"])(
  "the address %j is no mail's",
  async (rest) => {
    expect(readMailLink(SITE + rest)).toBeNull();
  },
);

test.each([
  ["?code=good", { code: "good" }, false],
  ["?code=recovery", { code: "recovery" }, true],
  ["?token_hash=good&type=invite", { token_hash: "good", type: "invite" }, true],
  [
    "#access_token=good&refresh_token=good&expires_in=3600&token_type=bearer&type=invite",
    { access_token: "good", refresh_token: "good" },
    true,
  ],
])("the link %j signs in", async (rest, request, needsPassword) => {
  expect(await redeem(rest, true)).toEqual({ answer: { session, needsPassword }, asked: [request] });
});

test.each([
  ["?code=old"],
  ["?token_hash=good"],
  ["?token_hash=good&type=anything"],
  ["?token_hash=old&type=recovery"],
  ["#access_token=good&type=invite"],
])("the link %j is dead once the service has refused it", async (rest) => {
  const { answer, asked } = await redeem(rest, true);
  expect(answer).toEqual(DEAD_LINK);
  expect(asked).toHaveLength(1);
});

test.each([
  // A session that nobody was asked for: whoever writes such a link would sign its reader in as somebody else.
  ["#access_token=good&refresh_token=good"],
  ["?error=access_denied&error_code=otp_expired&error_description=x"],
  ["#error=access_denied&error_code=otp_expired&error_description=x"],
  ["?code=good&error_code=otp_expired"],
])("the link %j is dead, and nobody is asked", async (rest) => {
  expect(await redeem(rest, true)).toEqual({ answer: DEAD_LINK, asked: [] });
});

test("tokens behind the # are a dead link where the backend does not invite with them", async () => {
  const rest = "#access_token=good&refresh_token=good&type=invite";
  expect(await redeem(rest, false)).toEqual({ answer: DEAD_LINK, asked: [] });
});
