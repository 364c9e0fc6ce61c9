import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { itemPath } from "../../common/data/addresses.ts";
import { MAX_REASON_CHARACTERS } from "../../common/data/report-rules.ts";
import { KINDS } from "../../common/kinds/index.ts";
import { createReportEmails } from "../../server/admin/report-emails.ts";
import type { Email } from "../../server/auth/send-email.ts";
import { LIMITS } from "../../server/config/limits.ts";
import { SITE, startTestApp } from "../support/test-app.ts";

const THANKS = "Thank you. The operators of this site will look at it.";
const HTML = `<b onclick="alert(1)">bold</b> "quoted" & more`;
const ESCAPED = "&lt;b onclick=";

const site = await startTestApp({ acceptsReports: true, trustedProxies: 1 });
afterAll(() => site.stop());
const author = await site.addMember({ full_name: "Ada Lovelace" });
const article = { id: await addArticle("On Engines"), title: "On Engines" };
const path = `/report/articles/${article.id}`;

function addArticle(title: string, author_id = author) {
  return site.add("articles", { author_id, title, content: "x", published: true });
}

let clients = 0;
/** Returns a network address that no other request had. */
const newClient = () => `203.0.${Math.floor(++clients / 250)}.${(clients % 250) + 1}`;

/** Sends the form as a browser on the site's own page. */
function send(
  to: string,
  values: Record<string, string>,
  { client = newClient(), ...headers }: Record<string, string> = {},
) {
  return site.ask(to, {
    method: "POST",
    body: new URLSearchParams(values),
    headers: { Origin: SITE, "X-Forwarded-For": client, ...headers },
  });
}

interface Stored {
  subject_table: string;
  subject_id: string;
  reason: string;
  email: string | null;
}

const stored = async () =>
  (
    await site.admin.query<Stored>(
      "select subject_table, subject_id, reason, email from private.reports order by created_at, reason",
    )
  ).rows;

beforeEach(async () => {
  await site.admin.query(
    "truncate private.reports, private.report_senders; update private.report_emails set sent_at = '-infinity'",
  );
});

describe("the link Report", () => {
  test("the page of every item and person has the link Report, at both of the item's addresses", async () => {
    const href = `href="${path}"`;
    for (const address of [`/articles/${article.id}`, itemPath({ path: "/articles" }, article)]) {
      const html = await (await site.ask(address)).text();
      expect(html).toContain(href);
      expect(html).toMatch(/>Report<\/a>/);
    }
    const person = await (await site.ask(`/profile/${author}`)).text();
    expect(person).toContain(`href="/report/profile/${author}"`);
  });

  test("an unpublished article can be reported, too", async () => {
    const id = await site.add("articles", { author_id: author, title: "Later", content: "x" });
    expect(await (await site.ask(`/articles/${id}`)).text()).toContain(`href="/report/articles/${id}"`);
    expect((await site.ask(`/report/articles/${id}`)).status).toBe(200);
  });

  test("with REPORTS=off, no page has the link, and the addresses are 404", async () => {
    const closed = await startTestApp({ acceptsReports: false });
    onTestFinished(() => closed.stop());
    const owner = await closed.addMember({ full_name: "Ada" });
    const row = { author_id: owner, title: "On Engines", content: "x", published: true };
    const id = await closed.add("articles", row);
    for (const page of [`articles/${id}`, `profile/${owner}`]) {
      expect(await (await closed.ask(`/${page}`)).text()).not.toContain("/report/");
      expect((await closed.ask(`/report/${page}`)).status).toBe(404);
      expect((await closed.ask(`/report/${page}.data`)).status).toBe(404);
      const form = { method: "POST", body: new URLSearchParams({ reason: "x" }), headers: { Origin: SITE } };
      expect((await closed.ask(`/report/${page}`, form)).status).toBe(404);
    }
    expect((await closed.ask("/admin/v1/reports")).status).toBe(403);
  });
});

describe("the page to report an item", () => {
  test("names what is reported, asks for a reason and an email address, and is noindex", async () => {
    const html = await (await site.ask(path)).text();
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(html).toContain("On Engines");
    expect(html).toContain("Ada Lovelace");
    expect(html).toMatch(/<form [^>]*method="post"/);
    expect(html).toMatch(/<label[^>]*>Reason<\/label><textarea[^>]*/);
    const [area = ""] = /<textarea[^>]*>/.exec(html) ?? [];
    expect(area).toContain("required");
    expect(area.toLowerCase()).toContain(`maxlength="${MAX_REASON_CHARACTERS}"`);
    const [input = ""] = /<input[^>]*name="email"[^>]*>/.exec(html) ?? [];
    expect(input).not.toContain("required");
    expect(html).toMatch(/>Send Report<\/button>/);
    expect(await (await site.ask(`/report/profile/${author}`)).text()).toContain("Ada Lovelace");
  });

  test.each(KINDS.map((kind) => kind))("accepts reports about each kind: $name", async ({ table, path }) => {
    const columns: Record<string, Record<string, unknown>> = {
      articles: { author_id: author, content: "x" },
      useful_links: { profile_id: author, url: "https://example.com", category: "x" },
      code_samples: { profile_id: author, language: "sql", code_content: "x" },
    };
    const id = await site.add(table, { ...columns[table], title: "A title" });
    const response = await send(`/report${path}/${id}`, { reason: "spam" });
    expect(response.status).toBe(200);
    expect(await stored()).toMatchObject([{ subject_table: table, subject_id: id }]);
  });

  test("a report without an account gets the answer of the contract, and is stored with the address", async () => {
    const response = await send(path, { reason: "  It is\r\nspam ", email: " Reader@Example.com " });
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.text()).toContain(THANKS);
    await send(`/report/profile/${author}`, { reason: "Not me", email: "" });
    expect(await stored()).toEqual([
      {
        subject_table: "articles",
        subject_id: article.id,
        reason: "It is\nspam",
        email: "reader@example.com",
      },
      { subject_table: "profiles", subject_id: author, reason: "Not me", email: null },
    ]);
  });

  test("a report by the item's readable address is about the same item", async () => {
    await send(`/report${itemPath({ path: "/articles" }, article)}`, { reason: "spam" });
    expect(await stored()).toMatchObject([{ subject_id: article.id }]);
  });

  test.each([
    ["no reason", { reason: "", email: "reader@example.com" }, "Enter a reason."],
    ["a blank reason", { reason: " \u200B\r\n ", email: "" }, "Enter a reason."],
    [
      "a reason that is too long",
      { reason: "é".repeat(MAX_REASON_CHARACTERS + 1), email: "reader@example.com" },
      "Use at most 2,000 characters. The reason has 2,001.",
    ],
    ["an invalid address", { reason: HTML, email: "nobody" }, "Enter an email address, or leave the field"],
    ["no fields", {}, "Enter a reason."],
  ])("with %s, the page says what is wrong and keeps what was typed", async (_case, values, problem) => {
    const { reason = "", email = "" }: { reason?: string; email?: string } = values;
    const response = await send(path, values);
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain(problem);
    expect(html).toContain('aria-invalid="true"');
    if (email !== "") expect(html).toContain(`value="${email}"`);
    if (reason.includes("é")) expect(html).toContain(reason);
    if (reason === HTML) expect(html).toContain(ESCAPED);
    expect(html).not.toContain("<b onclick");
    expect(await stored()).toEqual([]);
  });

  test("2,000 characters are accepted, whatever their size and with line breaks", async () => {
    const reason = `${"😀".repeat(MAX_REASON_CHARACTERS - 2)}\r\n.`;
    expect((await send(path, { reason })).status).toBe(200);
    expect([...((await stored())[0]?.reason ?? "")]).toHaveLength(MAX_REASON_CHARACTERS);
  });

  test("a form that is too large gets 413, and another format 415", async () => {
    const large = await send(path, { reason: "x".repeat(LIMITS.reports.bodyBytes) });
    expect(large.status).toBe(413);
    const json = await send(path, { reason: "x" }, { "Content-Type": "application/json" });
    expect(json.status).toBe(415);
    expect(await stored()).toEqual([]);
  });

  test.each([
    [{ Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
    [{ Origin: "https://evil.example" }],
    [{ Origin: "null" }],
    [{ Origin: "https://other.site.test", "Sec-Fetch-Site": "same-site" }],
    [{ Origin: "" }],
  ])("a form of another site is rejected: %j", async (headers) => {
    expect((await send(path, { reason: "x" }, headers)).status).toBe(403);
    expect(await stored()).toEqual([]);
  });

  test("reports about what doesn't exist are 404", async () => {
    const unknown = randomUUID();
    const paths = [
      `articles/${unknown}`,
      "articles/x",
      `useful-links/${article.id}`,
      `nothing/${article.id}`,
      `profile/${unknown}`,
      "profile/nobody",
      `constructor/${article.id}`,
    ];
    for (const each of paths) {
      expect([each, (await site.ask(`/report/${each}`)).status]).toEqual([each, 404]);
      expect([each, (await send(`/report/${each}`, { reason: "x" })).status]).toEqual([each, 404]);
    }
    expect((await site.ask("/report")).status).toBe(404);
    expect(await stored()).toEqual([]);
  });
});

describe("reports sent in a short time", () => {
  test("one client may send five reports per hour, also at the same moment, and keeps what it typed", async () => {
    const client = newClient();
    const about = (number: number) => send(path, { reason: `Reason ${number}` }, { client });
    const responses = await Promise.all(Array.from({ length: 10 }, (_, number) => about(number)));
    const accepted = responses.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(LIMITS.reports.perHour);
    expect(await stored()).toHaveLength(LIMITS.reports.perHour);
    const rejected = await about(11);
    expect(rejected.status).toBe(429);
    const seconds = Number(rejected.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThan(3_500);
    expect(seconds).toBeLessThanOrEqual(3_600);
    const html = await rejected.text();
    expect(html).toContain("You have sent several reports within an hour. Try again in");
    expect(html).toContain("Reason 11");
    expect((await send(path, { reason: "Reason 11" })).status).toBe(200);

    await site.admin.query("update private.report_senders set sent_at = sent_at - interval '1 hour'");
    expect((await about(12)).status).toBe(200);
  });

  test("an item has at most 20 open reports, and more are accepted and dropped", async () => {
    const responses = await Promise.all(
      Array.from({ length: LIMITS.reports.open + 3 }, (_, number) => send(path, { reason: `${number}` })),
    );
    for (const response of responses) {
      expect(response.status).toBe(200);
      expect(await response.text()).toContain(THANKS);
    }
    expect(await stored()).toHaveLength(LIMITS.reports.open);
    // Nothing is hidden automatically.
    for (const page of [`/articles/${article.id}`, "/articles"])
      expect(await site.eventually(page)).toContain(article.title);
    await send(`/report/profile/${author}`, { reason: "another subject" });
    expect(await stored()).toHaveLength(LIMITS.reports.open + 1);
  });

  test("a form that is sent twice is stored once", async () => {
    const client = newClient();
    const twice = [1, 2].map(() => send(path, { reason: "spam" }, { client }));
    for (const response of await Promise.all(twice)) expect(response.status).toBe(200);
    expect(await stored()).toHaveLength(1);
  });
});

describe("reports in the database", () => {
  test("are removed with the item, the profile and the account that they are about", async () => {
    const member = await site.addMember({ full_name: "Grace" });
    const ids = [await addArticle("One", member), await addArticle("Two", member)];
    for (const id of ids) await send(`/report/articles/${id}`, { reason: "spam" });
    await send(`/report/profile/${member}`, { reason: "spam" });
    await send(path, { reason: "stays" });
    await site.admin.query("delete from public.articles where id = $1", [ids[0]]);
    expect(await stored()).toHaveLength(3);
    await site.admin.query("delete from auth.users where id = $1", [member]);
    expect(await stored()).toMatchObject([{ reason: "stays" }]);
  });

  test("are removed after 90 days, and listed until then", async () => {
    await send(path, { reason: "old" });
    await send(`/report/profile/${author}`, { reason: "young" });
    const age = (days: number, reason: string) =>
      site.admin.query(
        "update private.reports set created_at = now() - make_interval(days => $1) where reason = $2",
        [days, reason],
      );
    await age(91, "old");
    await age(89, "young");
    const listed = await site.admin.query<{ list: { reports: { reason: string }[] } }>(
      "select list_reports as list from public.list_reports()",
    );
    expect(listed.rows.flatMap(({ list }) => list.reports.map(({ reason }) => reason))).toEqual(["young"]);
    const { emails } = reportEmails();
    await emails.run();
    expect((await stored()).map(({ reason }) => reason)).toEqual(["young"]);
  });

  test.each([
    "add_report",
    "list_reports",
    "end_reports",
    "remove_old_reports",
    "claim_report_email",
    "release_report_email",
  ])("visitors and members can't call %s", async (name) => {
    const { rows } = await site.admin.query(
      `select r.rolname from pg_proc p cross join pg_roles r
       where p.proname = $1 and r.rolname in ('anon', 'authenticated') and has_function_privilege(r.oid, p.oid, 'execute')`,
      [name],
    );
    expect(rows).toEqual([]);
    const call = await site.ask(`/rest/v1/rpc/${name}`, {
      method: "POST",
      headers: { apikey: site.keys.anonKey, "Content-Type": "application/json" },
      body: "{}",
    });
    expect(call.status).toBeGreaterThanOrEqual(400);
  });

  test.each(["reports", "report_senders", "report_emails"])(
    "no role of the API can use the table %s",
    async (name) => {
      const { rows } = await site.admin.query(
        `select rolname from pg_roles where rolname in ('anon', 'authenticated', 'service_role')
       and has_table_privilege(oid, format('private.%I', $1::text)::regclass, 'select, insert, update, delete')`,
        [name],
      );
      expect(rows).toEqual([]);
    },
  );
});

interface Mail extends Email {
  process: number;
}

let processes = 0;
/** A process that emails operators. `reject` makes its mail server reject every email. */
function reportEmails(mails: Mail[] = [], reject = { all: false }) {
  const process = ++processes;
  const emails = createReportEmails({
    settings: { acceptsReports: true, siteUrl: SITE, siteName: "Techfolio", mailTemplates: undefined },
    adminAccess: site.adminAccess,
    sendEmail: async (email) => {
      if (reject.all) throw new Error("rejected");
      mails.push({ ...email, process });
    },
    log: site.log,
  });
  return { emails, mails };
}

describe("operators' emails", () => {
  async function addOperator(email: string, bannedUntil: string | null = null) {
    const id = await site.addMember();
    await site.admin.query(
      `update auth.users set email = $2, banned_until = $3,
       raw_app_meta_data = '{"role": "operator"}' where id = $1`,
      [id, email, bannedUntil],
    );
    onTestFinished(async () => void (await site.admin.query("delete from auth.users where id = $1", [id])));
  }

  const aDayPasses = () =>
    site.admin.query("update private.report_emails set sent_at = sent_at - interval '1 day'");

  test("one of all processes emails every operator about new reports, at most once a day", async () => {
    await addOperator("olga@example.com");
    await addOperator("otto@example.com");
    await addOperator("banned@example.com", "infinity");
    const { emails, mails } = reportEmails();
    const { emails: other } = reportEmails(mails);
    await Promise.all([emails.run(), other.run()]);
    expect(mails).toEqual([]);

    await send(path, { reason: HTML });
    await Promise.all([emails.run(), other.run()]);
    expect(mails.map(({ to }) => to).sort()).toEqual(["olga@example.com", "otto@example.com"]);
    expect(mails[0]?.subject).toBe("New reports at Techfolio");
    expect(mails[0]?.text).toContain(`${SITE}/admin#reports`);
    expect(mails[0]?.html).not.toContain("onclick");

    await send(path, { reason: "another one" });
    await emails.run();
    expect(mails).toHaveLength(2);
    await aDayPasses();
    await Promise.all([other.run(), emails.run()]);
    expect(mails).toHaveLength(4);
    await aDayPasses();
    await emails.run();
    expect(mails).toHaveLength(4);
  });

  test("a mail server that rejected all emails gets them again", async () => {
    await addOperator("olga@example.com");
    const reject = { all: true };
    const { emails, mails } = reportEmails([], reject);
    await send(path, { reason: "spam" });
    await emails.run();
    reject.all = false;
    await emails.run();
    await emails.run();
    expect(mails.map(({ to }) => to)).toEqual(["olga@example.com"]);
  });
});
