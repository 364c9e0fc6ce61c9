// Tests the contract's section "Invitation links", apart from what people see on pages (tests/journeys/operator).
import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import { afterAll, expect, test } from "vitest";
import { createAdminClient } from "../../server/admin/admin-client.ts";
import type { AdminContext } from "../../server/admin/admin-context.ts";
import { closeLink, createLink, listLinks } from "../../server/admin/invitation-links.ts";
import { createAuthTransaction } from "../../server/auth/auth-env.ts";
import { cleanUp } from "../../server/auth/store/cleanup.ts";
import { newAddress } from "../support/auth.ts";
import { makeMember } from "../support/database.ts";
import { inProcess } from "../support/in-process.ts";
import { SITE, startTestApp, type TestApp } from "../support/test-app.ts";

const INVALID = "This invitation link is no longer valid.";
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

const site = await startTestApp({ trustedProxies: 1 });
const withoutPasswords = await startTestApp({ trustedProxies: 1, passwordSignIn: false });
afterAll(() => Promise.all([site.stop(), withoutPasswords.stop()]));

function contextOf({ app, keys }: TestApp): AdminContext {
  const pages = inProcess(new Hono().mount("/", app.fetch));
  const client = createAdminClient({
    url: SITE,
    serviceKey: keys.serviceKey,
    ifUnreachable: "",
    ifKeyRejected: "",
    fetch: async (input, init) => pages.request(new Request(input, init)),
  });
  const settings = {
    siteUrl: SITE,
    siteName: "Techfolio",
    mailTemplates: undefined,
    singleSignOn: undefined,
  };
  const done = async () => undefined;
  return {
    site: client,
    settings: { ...settings, passwordSignIn: true },
    sendEmail: undefined,
    record: done,
  };
}

const newEmail = (domain = "example.com") => `${randomBytes(6).toString("hex")}@${domain}`;

/** Returns the path of a new link. */
async function makeLink({ people = 3, days = 7, domains = "" } = {}, on = site): Promise<string> {
  const { link = "" } = await createLink(contextOf(on), { people, days, domains });
  expect(link).toMatch(/^https:\/\/site\.test\/join\/[\w-]{43}$/);
  return new URL(link).pathname;
}

async function openLinkOf(path: string, on = site) {
  const { rows } = await on.admin.query(
    "select * from private.invitation_links where code_digest = encode(sha256($1::bytea), 'hex')",
    [path.replace("/join/", "")],
  );
  return rows[0];
}

interface Sent {
  headers?: Record<string, string>;
  client?: string;
  on?: TestApp;
}

async function send(
  path: string,
  email: string,
  { headers = {}, client = newAddress(), on = site }: Sent = {},
) {
  const response = await on.ask(path, {
    method: "POST",
    headers: { ...FORM, "X-Forwarded-For": client, ...headers },
    body: new URLSearchParams({ email }).toString(),
  });
  return { response, status: response.status, text: await response.text() };
}

const answerTo = (email: string) =>
  `We have sent an email to ${email}. Open the link in it to choose a password.`;

const emailsTo = (email: string, on = site) =>
  on.printed.filter((text) => text.startsWith(`\nEmail to ${email}: `));

/** Sends the form, and returns the token in the email. */
async function requestToken(path: string, email: string, on = site): Promise<string> {
  expect((await send(path, email, { on })).status).toBe(200);
  const token = /token_hash=([\w-]+)&type=join/.exec(emailsTo(email, on).at(-1) ?? "")?.[1];
  expect(token).toBeDefined();
  return token ?? "";
}

async function callAuth(path: string, body: object, on = site) {
  const headers = {
    "Content-Type": "application/json",
    apikey: on.keys.anonKey,
    "X-Forwarded-For": newAddress(),
  };
  const response = await on.ask(`/auth/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

const join = (token_hash: string, on = site, password = "a long password") =>
  callAuth("join", { token_hash, ...(password && { password }) }, on);

async function accounts(email: string, on = site) {
  const { rows } = await on.admin.query("select * from auth.users where email = $1", [email]);
  return rows;
}

test("the database keeps only the digest of a link's code", async () => {
  const path = await makeLink();
  const { rows } = await site.admin.query<{ row: string }>(
    "select t::text as row from private.invitation_links t",
  );
  expect(rows.some(({ row }) => row.includes(path.replace("/join/", "")))).toBe(false);
  expect(await openLinkOf(path)).toMatchObject({ people: 3, used: 0 });
});

test("the page of a link has its heading, the field and the button, is noindex, sends no referrer and isn't cached", async () => {
  const response = await site.ask(await makeLink());
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(page).toContain(">Join Techfolio</h1>");
  expect(page).toMatch(/<form [^>]*method="post"/);
  expect(page).toMatch(/>Email<\/label><input[^>]* type="email"/);
  expect(page).toContain(">Send Invitation</button>");
  expect(page).toContain('<meta name="robots" content="noindex"/>');
});

test("the answer is the same for an address with and without an account, and each gets its own email", async () => {
  const path = await makeLink();
  const [stranger, known] = [newEmail(), newEmail()];
  await makeMember(site.admin, known);
  const first = await send(path, stranger);
  const second = await send(path, known);
  expect(first.status).toBe(200);
  expect(first.text).toContain(answerTo(stranger));
  expect(second.status).toBe(200);
  expect(second.text.replaceAll(known, stranger).replace(/nonce="[^"]+"/g, "")).toBe(
    first.text.replace(/nonce="[^"]+"/g, ""),
  );
  expect(first.response.headers.get("referrer-policy")).toBe("no-referrer");
  expect(first.response.headers.get("cache-control")).toBe("no-store");
  expect(emailsTo(stranger)).toHaveLength(1);
  expect(emailsTo(stranger)[0]).toMatch(
    /: Join Techfolio\n[\s\S]*https:\/\/site\.test\/profile\?token_hash=/,
  );
  expect(emailsTo(known)).toHaveLength(1);
  expect(emailsTo(known)[0]).toMatch(/already has an account[\s\S]*https:\/\/site\.test\/profile\n/);
  expect(await accounts(stranger)).toEqual([]);
});

test("a link for some domains compares them exactly and regardless of case, and sends nothing to others", async () => {
  const path = await makeLink({ domains: "Example.COM, @bücher.example" });
  expect((await openLinkOf(path)).domains).toEqual(["example.com", "xn--bcher-kva.example"]);
  for (const email of ["a@sub.example.com", "a@example.com.evil.test", "a@notexample.com", "a@example.co"]) {
    const { status, text } = await send(path, email);
    expect([email, status]).toEqual([email, 422]);
    expect(text).toContain("This link is for addresses at example.com, xn--bcher-kva.example.");
    expect(emailsTo(email)).toEqual([]);
  }
  const email = newEmail();
  expect((await send(path, email.replace("example.com", "EXAMPLE.com"))).text).toContain(answerTo(email));
  expect((await send(path, "ada@bücher.example")).text).toContain(answerTo("ada@xn--bcher-kva.example"));
});

test("a text that isn't one email address is rejected and stays in the field", async () => {
  const path = await makeLink();
  for (const typed of ["", "ada", "a@example.com, b@example.com", `${"a".repeat(300)}@example.com`]) {
    const { status, text } = await send(path, typed);
    expect([typed, status]).toEqual([typed, 422]);
    expect(text).toContain("Enter one email address");
  }
  expect((await send(path, 'x"><script>alert(1)</script>')).text).not.toContain("<script>alert");
});

test("an unknown, closed, expired or used-up link has status 404 and the contract's sentence", async () => {
  const closed = await makeLink();
  await closeLink(contextOf(site), (await openLinkOf(closed)).id);
  const expired = await makeLink();
  await site.admin.query("update private.invitation_links set expires_at = now() where id = $1", [
    (await openLinkOf(expired)).id,
  ]);
  const usedUp = await makeLink({ people: 1 });
  expect((await join(await requestToken(usedUp, newEmail()))).status).toBe(200);
  for (const path of ["/join/unknown", "/join/%00", closed, expired, usedUp]) {
    const page = await site.ask(path);
    expect([path, page.status]).toEqual([path, 404]);
    expect(await page.text()).toContain(INVALID);
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    const email = newEmail();
    const sent = await send(path, email);
    expect([path, sent.status]).toEqual([path, 404]);
    expect(sent.text).toContain(INVALID);
    expect(emailsTo(email)).toEqual([]);
  }
});

test("opening an email's link and previewing it create nothing, and choosing a password creates the account and takes the place", async () => {
  const path = await makeLink();
  const email = newEmail();
  const token_hash = await requestToken(path, email);
  expect((await site.ask(`/profile?token_hash=${token_hash}&type=join`)).status).toBe(200);
  const preview = { status: 200, body: { email, setsPassword: true } };
  expect(await callAuth("verify/preview", { token_hash, type: "join" })).toEqual(preview);
  expect(await accounts(email)).toEqual([]);
  expect(await openLinkOf(path)).toMatchObject({ used: 0 });

  const names = { full_name: "Ada Byron", username: "ada-b" };
  const weak = await callAuth("join", { token_hash, password: "short" });
  expect(weak).toMatchObject({ status: 422, body: { error_code: "weak_password" } });
  expect((await join(token_hash, site, "")).status).toBe(400);
  expect(await openLinkOf(path)).toMatchObject({ used: 0 });
  const { status, body } = await callAuth("join", { token_hash, password: "a long password", ...names });
  expect(status).toBe(200);
  expect(body).toMatchObject({ user: { email, email_confirmed_at: expect.any(String) } });
  expect(body.access_token).toEqual(expect.any(String));
  expect(await openLinkOf(path)).toMatchObject({ used: 1 });
  const { rows } = await site.admin.query("select full_name, username from public.profiles where id = $1", [
    body.user.id,
  ]);
  expect(rows).toEqual([names]);
  const signIn = await callAuth("token?grant_type=password", { email, password: "a long password" });
  expect(signIn.status).toBe(200);
  expect(await join(token_hash)).toMatchObject({ status: 403, body: { error_code: "otp_expired" } });
  expect(await openLinkOf(path)).toMatchObject({ used: 1 });
  const log = await site.admin.query("select * from public.operator_log where target = $1", [email]);
  expect(log.rows).toMatchObject([
    {
      action: "member.joined",
      operator: email,
      operator_id: body.user.id,
      details: { link: expect.any(String) },
    },
  ]);
});

test("the link in an email doesn't work as a recovery or invitation link, and those don't create accounts", async () => {
  const token_hash = await requestToken(await makeLink(), newEmail());
  for (const type of ["invite", "recovery", "magiclink", "signup"]) {
    expect((await callAuth("verify", { token_hash, type })).status).toBeGreaterThanOrEqual(400);
  }
  expect((await callAuth("verify", { token_hash, type: "join" })).status).toBe(400);
  expect((await join("unknown")).status).toBe(403);
  expect((await join("")).status).toBe(403);
});

test("of ten people who open their emails at the same moment, one gets the only place that is left", async () => {
  const path = await makeLink({ people: 4 });
  const tokens: string[] = [];
  for (let count = 0; count < 12; count++) tokens.push(await requestToken(path, newEmail()));
  for (const token of tokens.slice(0, 2)) expect((await join(token)).status).toBe(200);
  await site.admin.query("update private.invitation_links set people = 3 where id = $1", [
    (await openLinkOf(path)).id,
  ]);
  const results = await Promise.all(tokens.slice(2).map((token) => join(token)));
  expect(results.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(403)]);
  const codes = results.flatMap(({ status, body }) => (status === 403 ? [body.error_code] : []));
  expect(new Set(codes)).toEqual(new Set(["invitation_link_used_up"]));
  expect(await openLinkOf(path)).toMatchObject({ people: 3, used: 3 });
  const created = await site.admin.query(
    "select count(*)::int from public.operator_log where details ->> 'link' = $1",
    [(await openLinkOf(path)).id],
  );
  expect(created.rows).toEqual([{ count: 3 }]);
});

test("the same email opened ten times at once creates one account and takes one place", async () => {
  const path = await makeLink();
  const email = newEmail();
  const token = await requestToken(path, email);
  const results = await Promise.all(Array.from({ length: 10 }, () => join(token)));
  expect(results.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await accounts(email)).toHaveLength(1);
  expect(await openLinkOf(path)).toMatchObject({ used: 1 });
});

test("an account that was created in the meantime takes no place, and other emails to the address become unusable", async () => {
  const path = await makeLink();
  const other = await makeLink();
  const invited = newEmail();
  const late = await requestToken(path, invited);
  await makeMember(site.admin, invited);
  expect(await join(late)).toMatchObject({ status: 422, body: { error_code: "email_exists" } });
  expect(await openLinkOf(path)).toMatchObject({ used: 0 });
  const email = newEmail();
  const [first, second] = [await requestToken(path, email), await requestToken(other, email)];
  expect((await join(first)).status).toBe(200);
  expect(await join(second)).toMatchObject({ status: 403, body: { error_code: "otp_expired" } });
});

test("an unused email expires after 24 hours, and still works if its link expires, but not if it is closed", async () => {
  const path = await makeLink();
  const { id } = await openLinkOf(path);
  const tokens = [];
  for (let count = 0; count < 3; count++) tokens.push(await requestToken(path, newEmail()));
  const [expired = "", inTime = "", closed = ""] = tokens;
  const age = (token: string, interval: string) =>
    site.admin.query(
      `update private.invitation_emails set sent_at = sent_at - $2::interval
       where token_digest = encode(sha256($1::bytea), 'hex')`,
      [token, interval],
    );
  await age(expired, "24 hours 1 second");
  await age(inTime, "23 hours 59 minutes");
  await site.admin.query("update private.invitation_links set expires_at = now() where id = $1", [id]);
  expect((await join(expired)).status).toBe(403);
  expect((await join(inTime)).status).toBe(200);
  await site.admin.query(
    "update private.invitation_links set expires_at = now() + interval '1 day' where id = $1",
    [id],
  );
  await closeLink(contextOf(site), id);
  expect((await callAuth("verify/preview", { token_hash: closed, type: "join" })).status).toBe(403);
  expect((await join(closed)).status).toBe(403);
});

test("with PASSWORD_SIGN_IN=off, opening the email's link creates the account without a password or a session", async () => {
  const path = await makeLink({}, withoutPasswords);
  const email = newEmail();
  const token_hash = await requestToken(path, email, withoutPasswords);
  const preview = await callAuth("verify/preview", { token_hash, type: "join" }, withoutPasswords);
  expect(preview).toEqual({ status: 200, body: { email, setsPassword: false } });
  expect(await join(token_hash, withoutPasswords, "ignored password")).toEqual({
    status: 200,
    body: { email },
  });
  const [account] = await accounts(email, withoutPasswords);
  expect(account).toMatchObject({ encrypted_password: null, email_confirmed_at: expect.any(Date) });
  expect(await openLinkOf(path, withoutPasswords)).toMatchObject({ used: 1 });
});

test("a link sends at most three emails per place, also when many are requested at once", async () => {
  const path = await makeLink({ people: 2 });
  const emails = Array.from({ length: 9 }, () => newEmail());
  const results = await Promise.all(emails.map((email) => send(path, email)));
  expect(results.map(({ status }) => status).sort()).toEqual([...Array(6).fill(200), 429, 429, 429]);
  expect(emails.flatMap((email) => emailsTo(email))).toHaveLength(6);
  const late = await send(path, newEmail());
  expect(late.text).toContain("This link has sent as many emails as it may.");
});

test("an address gets at most three emails in 24 hours, from all links together, and the answer stays the same", async () => {
  const paths = [await makeLink({ people: 1 }), await makeLink()];
  for (const isKnown of [false, true]) {
    const email = newEmail();
    if (isKnown) await makeMember(site.admin, email);
    for (let count = 0; count < 5; count++) {
      const { status, text } = await send(paths[isKnown ? 1 : count % 2] ?? "", email);
      expect(status).toBe(200);
      expect(text).toContain(answerTo(email));
    }
    expect(emailsTo(email)).toHaveLength(3);
  }
});

test("a client may send at most ten emails per hour, and then gets 429 with Retry-After", async () => {
  const path = await makeLink({ people: 50 });
  const client = newAddress();
  const results = await Promise.all(Array.from({ length: 12 }, () => send(path, newEmail(), { client })));
  expect(results.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429, 429]);
  const { response, text } = await send(path, newEmail(), { client });
  expect(response.status).toBe(429);
  const seconds = Number(response.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(3_500);
  expect(seconds).toBeLessThanOrEqual(3_600);
  expect(text).toContain("Your network has requested too many emails. Try again in 60 minutes.");
  expect((await send(path, newEmail())).status).toBe(200);
  await site.admin.query(
    "update private.invitation_emails set sent_at = sent_at - interval '61 minutes' where client = $1",
    [client],
  );
  expect((await send(path, newEmail(), { client })).status).toBe(200);
});

test.each([
  [{ "Sec-Fetch-Site": "cross-site" }, 403],
  [{ "Sec-Fetch-Site": "same-site" }, 403],
  [{ "Sec-Fetch-Site": "cross-site", Origin: SITE }, 403],
  [{ Origin: "https://evil.example" }, 403],
  [{ Origin: "null" }, 403],
  [{ Origin: "not an origin" }, 403],
  [{ "Sec-Fetch-Site": "same-origin", Origin: "null" }, 200],
  [{ Origin: SITE }, 200],
  [{ Origin: "https://techfolio.test" }, 200],
])("a form with the headers %j gets %i", async (headers, status) => {
  const email = newEmail();
  const sent = await send(await makeLink(), email, { headers });
  expect(sent.status).toBe(status);
  expect(sent.response.headers.get("referrer-policy")).toBe("no-referrer");
  expect(emailsTo(email)).toHaveLength(status === 200 ? 1 : 0);
});

test("a form that is too large is rejected, and other methods aren't allowed", async () => {
  const path = await makeLink();
  expect((await send(path, "a".repeat(5_000))).status).toBe(413);
  for (const method of ["PUT", "DELETE", "PATCH"]) {
    expect((await site.ask(path, { method })).status).toBe(405);
  }
});

test("visitors and members cannot call the functions of the links or read their tables", async () => {
  const names = [
    "create_invitation_link",
    "list_invitation_links",
    "close_invitation_link",
    "find_invitation_link",
    "request_invitation",
    "return_place",
  ];
  const { rows } = await site.admin.query(
    `select p.proname, r.role from pg_proc p, unnest(array['anon', 'authenticated']) as r (role)
     where (p.proname = any($1) or p.proname in ('take_place', 'find_invitation'))
       and has_function_privilege(r.role, p.oid, 'execute')`,
    [names],
  );
  expect(rows).toEqual([]);
  const tables = await site.admin.query(
    `select t.name, r.role from unnest(array['private.invitation_links', 'private.invitation_emails']) as t (name),
       unnest(array['anon', 'authenticated', 'service_role']) as r (role)
     where has_table_privilege(r.role, t.name, 'select, insert, update, delete')`,
  );
  expect(tables.rows).toEqual([]);
});

test.each([
  [{ people: 0 }, /people must be a whole number from 1 to 500/],
  [{ people: 501 }, /people must be/],
  [{ people: 1.5 }, /people must be/],
  [{ days: 0 }, /days must be a whole number from 1 to 90/],
  [{ days: 91 }, /days must be/],
  [{ domains: "example" }, /"example" is not an email domain/],
  [{ domains: "a@example.com" }, /is not an email domain/],
])("a link with %j is rejected", async (wrong, reason) => {
  await expect(makeLink(wrong)).rejects.toThrow(reason);
});

test("the list has the open links with how many have joined, and closing one twice fails", async () => {
  const path = await makeLink({ people: 5, days: 90, domains: "example.com" });
  expect((await join(await requestToken(path, newEmail()))).status).toBe(200);
  const { id } = await openLinkOf(path);
  const context = contextOf(site);
  const [link] = (await listLinks(context.site)).filter((each) => each.id === id);
  expect(link).toMatchObject({ used: 1, people: 5, domains: ["example.com"] });
  const days = (Date.parse(link?.expires_at ?? "") - Date.parse(link?.created_at ?? "")) / 86_400_000;
  expect(Math.round(days)).toBe(90);
  await closeLink(context, id);
  expect((await listLinks(context.site)).map((each) => each.id)).not.toContain(id);
  await expect(closeLink(context, id)).rejects.toThrow("There is no open invitation link with this ID.");
});

test("the hourly cleanup removes emails after a day, and links two days after their end", async () => {
  const [kept, ended] = [await makeLink(), await makeLink()];
  const [keptEmail, endedEmail] = [newEmail(), newEmail()];
  await requestToken(kept, keptEmail);
  await requestToken(ended, endedEmail);
  const keptId = (await openLinkOf(kept)).id;
  const endedId = (await openLinkOf(ended)).id;
  await site.admin.query(
    "update private.invitation_links set expires_at = now() - interval '49 hours' where id = $1",
    [endedId],
  );
  await site.admin.query(
    "update private.invitation_emails set sent_at = now() - interval '25 hours' where email = $1",
    [endedEmail],
  );
  await cleanUp(createAuthTransaction(site.database));
  expect(await openLinkOf(ended)).toBeUndefined();
  expect(await openLinkOf(kept)).toMatchObject({ id: keptId });
  const { rows } = await site.admin.query(
    "select email from private.invitation_emails where email = any($1)",
    [[keptEmail, endedEmail]],
  );
  expect(rows).toEqual([{ email: keptEmail }]);
});
