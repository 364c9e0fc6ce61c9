import { AuthError, AuthRetryableFetchError, type GoTrueClient, type Session } from "@supabase/auth-js";
import { afterEach, expect, test, vi } from "vitest";
import { readMailLink, setsPassword } from "./mail-link.ts";
import { join, previewLink, redeemLink } from "./redeem-link.ts";

const SITE = "https://techfolio.test/profile";
const read = (rest: string) => readMailLink(new URL(SITE + rest));
const DEAD_LINK = { problem: "This link is invalid or has expired. Please ask for a new one." };
const OTHER_BROWSER = expect.stringContaining("in the browser where you requested it");
const EMAIL = "ada@example.com";
const UNREACHABLE = { problem: "The service is not responding. Try again in a moment." };
const USED_UP = { problem: "All places of this invitation link are taken. Please ask for a new link." };
const session = { access_token: "of the link", user: { email: EMAIL } } as Session;

const codeOf = (request: object) =>
  Object.values(request).includes("suspended") ? "user_banned" : "flow_state_not_found";

/** Creates a fake auth client that accepts only the values "good" and "invite", and records its requests. */
function createClient(requests: unknown[]): GoTrueClient {
  const respond = (request: object) => {
    requests.push(request);
    const isGood = Object.values(request).every((value) => ["good", "invite"].includes(value));
    return Promise.resolve(
      isGood
        ? { data: { session }, error: null }
        : { data: { session: null }, error: new AuthError("rejected", 403, codeOf(request)) },
    );
  };
  return {
    exchangeCodeForSession: (code: string) => respond({ code }),
    verifyOtp: respond,
    setSession: ({ access_token, refresh_token }: Session) => respond({ access_token, refresh_token }),
  } as unknown as GoTrueClient;
}

function linkAt(address: string) {
  const link = read(address);
  if (!link) throw new Error(`${address} has no link`);
  return link;
}

const backend = { url: "https://auth.test", key: "public" };

afterEach(() => vi.unstubAllGlobals());

test.each(["", "?q=select", "?code=", "?type=invite", "#3f2a"])(
  "a page's URL that ends with %j has no mailed link",
  (rest) => {
    expect(read(rest)).toBeNull();
  },
);

test.each([
  ["?code=good", { code: "good" }, true],
  ["?token_hash=good&type=invite", { token_hash: "good", type: "invite" }, true],
  ["?token_hash=good&type=good", { token_hash: "good", type: "good" }, false],
  [
    "#access_token=good&refresh_token=good&expires_in=3600&token_type=bearer&type=invite",
    { access_token: "good", refresh_token: "good" },
    true,
  ],
])(
  "redeeming the link %j sends %j and returns a session (the member chooses a password next: %j)",
  async (address, request, asksForPassword) => {
    const requests: unknown[] = [];
    expect(await redeemLink(createClient(requests), linkAt(address), EMAIL)).toEqual({ session });
    expect(requests).toEqual([request]);
    expect(setsPassword(linkAt(address))).toBe(asksForPassword);
  },
);

test.each(["?code=old", "?token_hash=old&type=recovery", "#access_token=old&refresh_token=x&type=invite"])(
  "redeeming the link %j, which the service rejects, returns the message that the link is invalid",
  async (address) => {
    expect(await redeemLink(createClient([]), linkAt(address), EMAIL)).toEqual(DEAD_LINK);
  },
);

test.each([
  [new AuthRetryableFetchError("no network", 0), UNREACHABLE],
  [new AuthError("wrong", 400, "bad_code_verifier"), { problem: OTHER_BROWSER }],
])("redeeming a link that fails with %s results in %j", async (error, outcome) => {
  const exchangeCodeForSession = async () => ({ data: { session: null }, error });
  const client = { exchangeCodeForSession } as unknown as GoTrueClient;
  expect(await redeemLink(client, linkAt("?code=good"), EMAIL)).toEqual(outcome);
});

test("redeeming a link for a different account than the page showed returns the message that the link is invalid", async () => {
  const link = linkAt("#access_token=good&refresh_token=good&type=invite");
  expect(await redeemLink(createClient([]), link, "grace@example.com")).toEqual(DEAD_LINK);
});

test("redeeming a link returns its session if the page could not show its account", async () => {
  expect(await redeemLink(createClient([]), linkAt("?code=good"), "")).toEqual({ session });
});

test.each([
  ["old", "The sign-in did not work. Try again in a moment."],
  ["suspended", "This account is suspended."],
])(
  "the code %j of a failed sign-in at a provider results in a sentence about the sign-in",
  async (code, problem) => {
    const link = linkAt(`?code=${code}`);
    expect(setsPassword(link, false)).toBe(false);
    expect(await redeemLink(createClient([]), link, "", false)).toEqual({ problem });
  },
);

test.each([
  ["?error=access_denied&error_code=user_banned&error_description=x", "This account is suspended."],
  [
    "?error=access_denied&error_code=signup_disabled#error_code=signup_disabled",
    "Your email address can't be used to sign in here.",
  ],
  ["?error=access_denied&error_description=x", "The sign-in was cancelled."],
  [
    "?error_code=toString&error_description=Call+0800+for+help",
    "The sign-in did not work. Try again in a moment.",
  ],
  ["?error_code=Call+0800+for+help&error_description=x", "The sign-in did not work. Try again in a moment."],
])("the address %j of a rejected sign-in results in the site's own sentence", async (address, problem) => {
  vi.stubGlobal("fetch", () => expect.unreachable());
  expect(await previewLink(backend, linkAt(address), null)).toEqual({ problem });
});

test.each([
  "?error=access_denied&error_code=otp_expired&error_description=x",
  "#error=access_denied&error_code=otp_expired&error_description=x",
  "?code=good&error_code=otp_expired",
  // Invitations with session tokens always have a `type` parameter. The tokens of a link without it may be an
  // attacker's, and redeeming the link would sign the member in to the attacker's account.
  "#access_token=good&refresh_token=good",
])("the link %j is reported as invalid without a request to the service", async (address) => {
  vi.stubGlobal("fetch", () => expect.unreachable());
  const invites = { ...backend, invitesWithTokens: true, previewsLinks: true };
  expect(await previewLink(invites, linkAt(address), null)).toEqual(DEAD_LINK);
});

test("a link with a session is reported as invalid if the backend's invitations contain no sessions", async () => {
  const link = linkAt("#access_token=good&refresh_token=good&type=invite");
  expect(await previewLink(backend, link, null)).toEqual(DEAD_LINK);
});

// The second address contains the two characters that base64url writes differently.
test.each(["ines@example.com", "ines???>>>@example.com"])(
  "the preview of an invitation with a session contains the email address %s from the access token",
  async (email) => {
    const token = `x.${Buffer.from(JSON.stringify({ email })).toString("base64url")}.x`;
    const link = linkAt(`#access_token=${token}&refresh_token=x&type=invite`);
    const invites = { ...backend, invitesWithTokens: true };
    expect(await previewLink(invites, link, null)).toEqual({ email });
  },
);

test.each([
  ["invite", true],
  ["recovery", true],
  ["magiclink", false],
  ["email_change", false],
])("a link of the type %s lets the member choose a password: %j", (type, expected) => {
  for (const rest of [`?token_hash=x&type=${type}`, `#access_token=x&refresh_token=x&type=${type}`])
    expect(setsPassword(linkAt(rest)), rest).toBe(expected);
});

test("if the backend can't preview links, a link with a code needs this browser's PKCE verifier, and the email address stays empty", async () => {
  expect(await previewLink(backend, linkAt("?code=x"), null)).toEqual({ problem: OTHER_BROWSER });
  expect(await previewLink(backend, linkAt("?code=x"), "verifier")).toEqual({ email: "" });
  expect(await previewLink(backend, linkAt("?token_hash=x&type=invite"), null)).toEqual({ email: "" });
});

test.each([
  [200, { email: "ines@example.com" }, { email: "ines@example.com" }],
  [403, { error_code: "otp_expired" }, DEAD_LINK],
  [404, { error_code: "flow_state_not_found" }, DEAD_LINK],
  [400, { error_code: "bad_code_verifier" }, { problem: OTHER_BROWSER }],
  [403, { error_code: "invitation_link_used_up" }, USED_UP],
  [429, {}, UNREACHABLE],
  [500, {}, UNREACHABLE],
  [503, {}, UNREACHABLE],
])("a preview response with status %i and body %j results in %j", async (status, body, outcome) => {
  vi.stubGlobal("fetch", async () => Response.json(body, { status }));
  expect(await previewLink({ ...backend, previewsLinks: true }, linkAt("?code=x"), "v")).toEqual(outcome);
});

/** Answers each request with this status and body. Returns a list that collects the requests' URLs and bodies. */
function fakeService(status: number, body: object): unknown[] {
  const requests: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    requests.push([init.method, url, new Headers(init.headers).get("apikey"), JSON.parse(String(init.body))]);
    return Response.json(body, { status });
  });
  return requests;
}

test.each([
  ["?code=x", { auth_code: "x", code_verifier: "v" }],
  ["?token_hash=x&type=invite", { token_hash: "x", type: "invite" }],
])("the preview of the link %j sends %j to the service", async (address, body) => {
  const requests = fakeService(200, { email: EMAIL });
  await previewLink({ ...backend, previewsLinks: true }, linkAt(address), "v");
  expect(requests).toEqual([["POST", "https://auth.test/auth/v1/verify/preview", "public", body]]);
});

const TOKENS = { access_token: "a", refresh_token: "r" };

test.each([
  [200, TOKENS, { session: TOKENS }],
  [200, { id: "1" }, { session: null }],
  [422, { error_code: "email_exists" }, { problem: "You already have an account. Sign in with it." }],
  [422, { error_code: "weak_password", msg: "Use ten characters." }, { problem: "Use ten characters." }],
  [403, { error_code: "otp_expired", msg: "Expired" }, DEAD_LINK],
  [403, { error_code: "invitation_link_used_up" }, USED_UP],
  [429, {}, UNREACHABLE],
  [500, {}, UNREACHABLE],
])("joining with a response of status %i and body %j results in %j", async (status, body, outcome) => {
  const requests = fakeService(status, body);
  const account = { password: "long enough", full_name: "Ada", username: "ada" };
  expect(await join(backend, "hash", account)).toEqual(outcome);
  const sent = { token_hash: "hash", ...account };
  expect(requests).toEqual([["POST", "https://auth.test/auth/v1/join", "public", sent]]);
});
