import { expect, test } from "vitest";
import { readAuthAnswer } from "./auth-answer.ts";

const SITE = "https://techfolio.test/profile";

test.each([
  ["", null],
  ["?q=select", null],
  ["?code=abc", { kind: "code", code: "abc" }],
  ["?token_hash=abc&type=invite", { kind: "link", tokenHash: "abc", type: "invite" }],
  ["?token_hash=abc&type=recovery", { kind: "link", tokenHash: "abc", type: "recovery" }],
  ["?token_hash=abc", null],
  ["?token_hash=abc&type=anything", null],
  [
    "#access_token=a&refresh_token=r&expires_in=3600&token_type=bearer&type=invite",
    { kind: "tokens", accessToken: "a", refreshToken: "r", type: "invite" },
  ],
  ["#access_token=a&type=invite", null],
  // A session that nobody was asked for: whoever writes such a link would sign its reader in as somebody else.
  ["#access_token=a&refresh_token=r", null],
  ["?error=access_denied&error_code=otp_expired&error_description=x", { kind: "failure" }],
  ["#error=access_denied&error_code=otp_expired&error_description=x", { kind: "failure" }],
  ["?code=abc&error_code=otp_expired", { kind: "failure" }],
  ["#3f2a", null],
])("reads %j", (rest, answer) => {
  expect(readAuthAnswer(SITE + rest, true)).toEqual(answer);
});

test("tokens behind the # are a dead link where the backend does not invite with them", () => {
  const address = `${SITE}#access_token=a&refresh_token=r&type=invite`;
  expect(readAuthAnswer(address)).toEqual({ kind: "failure" });
});
