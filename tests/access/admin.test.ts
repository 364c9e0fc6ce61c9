import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedMember } from "../../common/data/operators.ts";
import { type SignedInMember, startTestAdmin, type TestAdmin } from "../support/admin.ts";
import { NO_ITEMS } from "../support/example-rows.ts";
import { makePng, pathOf } from "../support/pictures.ts";

const READS = [
  "/session",
  "/members",
  "/content",
  "/log",
  "/log.csv",
  "/invitation-links",
  "/reports",
  "/state",
  "/unknown",
];

describe.each(["built-in", "project"] as const)("/admin/v1 with a %s backend", (backend) => {
  let admin: TestAdmin;
  let operator: SignedInMember;
  let token: string;
  beforeAll(async () => {
    admin = await startTestAdmin(backend);
    operator = await admin.operator();
    token = await operator.token();
  });
  afterAll(() => admin.stop());

  const writes = (id: string) => [
    ...[
      "suspend",
      "unsuspend",
      "retire",
      "unretire",
      "password-link",
      "feature",
      "unfeature",
      "clear-profile",
    ].map((name) => `/members/${id}/${name}`),
    `/members/${id}/remove-content`,
    `/members/${id}/remove`,
    "/invitations",
    "/invitation-links",
    `/invitation-links/${id}/close`,
    "/content/unpublish",
    "/content/remove",
    ...["unpublish", "remove", "suspend", "dismiss"].map((name) => `/reports/${name}`),
    "/unknown",
  ];

  async function expectRefused(as: string | undefined, statuses: number[], code?: string) {
    const victim = await admin.member();
    const body = { email: victim.email, lines: ["x@example.com"], id: victim.id };
    for (const path of READS) {
      const response = await admin.call(as, path);
      expect([path, statuses.includes(response.status)]).toEqual([path, true]);
      const json = await response.json();
      expect(Object.keys(json)).toEqual(["code", "error_code", "message", "msg"]);
      if (code) expect(json).toMatchObject({ code, error_code: code });
    }
    for (const path of writes(victim.id)) {
      const { status } = await admin.call(as, path, body);
      expect([path, statuses.includes(status)]).toEqual([path, true]);
    }
    const { data } = await admin.auth.service.auth.admin.getUserById(victim.id);
    expect(data.user?.banned_until).toBeUndefined();
  }

  test("visitors, members, and holders of the public or the service key get 403", async () => {
    const member = await admin.member();
    await expectRefused(undefined, [403], "not_admin");
    await expectRefused(await member.token(), [403], "not_admin");
    await expectRefused(admin.auth.keys.anonKey, [403], "not_admin");
    await expectRefused(admin.auth.keys.serviceKey, [403], "not_admin");
  });

  test("a member's own metadata, and claims in a token, do not make them an operator", async () => {
    const member = await admin.member();
    await member.client.auth.updateUser({ data: { role: "operator", app_metadata: { role: "operator" } } });
    const { data } = await member.client.auth.refreshSession();
    await expectRefused(data.session?.access_token, [403], "not_admin");
    const claims = (await member.client.auth.getClaims()).data?.claims;
    // Even a token that is signed with the site's secret.
    const signed = await admin.auth.tokens.sign({
      ...claims,
      role: "authenticated",
      app_metadata: { role: "operator" },
      user_role: "operator",
    });
    await expectRefused(signed, [403], "not_admin");
  });

  test("a forged, altered or unsigned token is rejected", async () => {
    const [header, payload, signature] = token.split(".");
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const unsigned = `${encode({ alg: "none", typ: "JWT" })}.${payload}.`;
    const altered = `${header}.${encode({ sub: operator.id, role: "authenticated" })}.${signature}`;
    for (const forged of ["x", unsigned, altered]) await expectRefused(forged, [401, 403]);
  });

  test("a token without a session is rejected", async () => {
    const claims = (await operator.client.auth.getClaims()).data?.claims;
    const { session_id: _, ...rest } = { ...claims, role: "authenticated" };
    await expectRefused(await admin.auth.tokens.sign(rest), [401, 403]);
  });

  test("an operator who is suspended, signed out or demoted loses access immediately, although their token is valid", async () => {
    const suspended = await admin.operator();
    const signedOut = await admin.operator();
    const demoted = await admin.operator();
    const tokens = await Promise.all([suspended, signedOut, demoted].map((each) => each.token()));
    const service = admin.auth.service.auth.admin;
    for (const each of tokens) expect((await admin.call(each, "/session")).status).toBe(200);
    await service.updateUserById(suspended.id, { ban_duration: "1h" });
    await signedOut.client.auth.signOut();
    await service.updateUserById(demoted.id, { app_metadata: { role: null } });
    await expectRefused(tokens[0], [401]);
    await expectRefused(tokens[1], [401]);
    await expectRefused(tokens[2], [403], "not_admin");
  });

  test("a form on another site can't act: the request needs the header Authorization and a JSON body", async () => {
    const victim = await admin.member();
    const path = `/members/${victim.id}/suspend`;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect((await admin.call(undefined, path, "for=7d", form)).status).toBe(403);
    expect((await admin.call(token, path, "for=7d", form)).status).toBe(415);
    expect((await admin.call(token, path, "{}", { "content-type": "text/plain" })).status).toBe(415);
    const response = await admin.call(token, "/session", undefined, { origin: "https://other.example" });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("a body of more than 64 KiB, of broken JSON or of an array is rejected, and changes nothing", async () => {
    const victim = await admin.member();
    const path = `/members/${victim.id}/suspend`;
    const refused = async (body: string) => {
      const response = await admin.call(token, path, body);
      return [response.status, (await response.json()).code];
    };
    expect(await refused(JSON.stringify({ for: "x".repeat(64 * 1024) }))).toEqual([
      413,
      "request_entity_too_large",
    ]);
    for (const body of ["", "{", "[]", '{"for":"\\ud800"}']) {
      expect([body, ...(await refused(body))]).toEqual([body, 400, "bad_json"]);
    }
    const { data } = await admin.auth.service.auth.admin.getUserById(victim.id);
    expect(data.user?.banned_until).toBeUndefined();
  });

  test("visitors are rejected without waiting for the rest of their bodies", async () => {
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array([123])),
    });
    expect((await admin.call(undefined, "/invitations", endless)).status).toBe(403);
  });

  test("an hour after the sign-in, an operator can read but not change anything, also with a refreshed session, until they sign in again", async () => {
    const stale = await admin.operator();
    const victim = await admin.member();
    const path = `/members/${victim.id}/suspend`;
    await admin.auth.advance(3_590_000);
    await stale.client.auth.refreshSession();
    expect((await admin.call(await stale.token(), path, { for: "1h" })).status).toBe(200);
    expect((await admin.call(await stale.token(), `/members/${victim.id}/unsuspend`, {})).status).toBe(200);
    await admin.auth.advance(60_000);
    await stale.client.auth.refreshSession();
    expect((await admin.call(await stale.token(), "/members")).status).toBe(200);
    for (const write of writes(victim.id)) {
      const refused = await admin.call(await stale.token(), write, { email: victim.email });
      expect([write, refused.status]).toEqual([write, 403]);
      expect(await refused.json()).toMatchObject({ code: "reauthentication_needed" });
    }
    await stale.client.auth.signInWithPassword(stale);
    expect((await admin.call(await stale.token(), path, { for: "1h" })).status).toBe(200);
    await operator.client.auth.signInWithPassword(operator);
    token = await operator.token();
  });

  test("the list of members has emails, names, counts, last sign-ins and states, finds members, and is paged", async () => {
    const { id, email } = await admin.member();
    const service = admin.auth.service;
    await service.from("profiles").update({ full_name: "Zoë Quill" }).eq("id", id).throwOnError();
    const row = { profile_id: id, title: "T", url: "/", category: "C" };
    await service.from("useful_links").insert([row, row]).throwOnError();
    const list = async (query: string) => (await admin.call(token, `/members?${query}`)).json();
    for (const q of ["quill", email.slice(0, 8).toUpperCase(), id]) {
      expect(await list(`q=${encodeURIComponent(q)}`)).toMatchObject({
        isComplete: true,
        rows: [
          {
            id,
            email,
            full_name: "Zoë Quill",
            state: "active",
            is_operator: false,
            counts: { ...NO_ITEMS, useful_links: 2 },
            last_sign_in_at: expect.any(String),
          },
        ],
      });
    }
    expect(await list("q=%25")).toMatchObject({ rows: [] });
    for (let count = 0; count < 55; count += 1) await admin.auth.member();
    const first = await list("");
    expect([first.rows.length, first.isComplete]).toEqual([50, false]);
    const last = first.rows.at(-1);
    const cursor = JSON.stringify({ created_at: last.created_at, id: last.id });
    const second = await list(`after=${encodeURIComponent(cursor)}`);
    const ids = [...first.rows, ...second.rows].map((member) => member.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(id);
  });

  test("members are sorted by their last sign-in and storage, on each page and in both directions", async () => {
    const { id } = await admin.member();
    const row = { profile_id: id, title: "T", url: "/", category: "C", description: "x".repeat(900) };
    await admin.auth.service.from("useful_links").insert([row, row, row]).throwOnError();
    for (const [column, sort] of [
      ["last_sign_in_at", "sign-in"],
      ["storage", "storage"],
    ] as const) {
      const read = async (sort: string) => {
        const rows: ListedMember[] = [];
        let after = "";
        for (;;) {
          const page = await (await admin.call(token, `/members?sort=${sort}&size=7${after}`)).json();
          rows.push(...page.rows);
          if (page.isComplete) return rows;
          after = `&after=${encodeURIComponent(JSON.stringify(rows.at(-1)))}`;
        }
      };
      const [descending, ascending] = [await read(sort), await read(`-${sort}`)];
      const values = descending.map((member) => member[column] ?? "");
      expect(values).toEqual(values.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
      expect(new Set(descending.map((member) => member.id)).size).toBe(descending.length);
      expect(ascending.map((member) => member[column] ?? "")).toEqual(values.toReversed());
      expect(ascending).toHaveLength(descending.length);
    }
    for (const query of ["sort=email", "size=0", "size=51", "size=1.5", "size=x"])
      expect([query, (await admin.call(token, `/members?${query}`)).status]).toEqual([query, 400]);
  });

  test("the log is searched by operator, action and target, and its CSV has all entries that match", async () => {
    const { email } = await admin.member();
    const entry = (number: number) => ({
      operator: `nightly "job", ${backend}`,
      action: "item.removed",
      target: number === 0 ? "=1+1" : `Item ${number}`,
      details: { id: number },
    });
    const log = admin.auth.service.from("operator_log");
    await log.insert(Array.from({ length: 1_003 }, (_, number) => entry(number))).throwOnError();
    const search = async (q: string) =>
      (await (await admin.call(token, `/log?q=${encodeURIComponent(q)}`)).json()).rows;
    expect(await search("=1+1")).toMatchObject([{ action: "item.removed" }]);
    expect(await search("item 777")).toMatchObject([{ target: "Item 777" }]);
    expect(await search("Item removed")).toHaveLength(50);
    expect(await search("100%")).toEqual([]);
    expect(await search(email)).toEqual([]);
    const response = await admin.call(token, `/log.csv?q=${encodeURIComponent(`job", ${backend}`)}`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const lines = (await response.text()).split("\r\n");
    expect(lines).toHaveLength(1_003 + 2);
    expect(lines[0]).toBe("time,operator,source,action,target,details");
    const formula = lines.find((line) => line.includes("1+1"));
    expect(formula).toContain(`,"nightly ""job"", ${backend}",command,item.removed,'=1+1,"{""id"":0}"`);
    expect(new Set(lines).size).toBe(lines.length);
    await admin.auth.admin.query("delete from public.operator_log where operator like 'nightly%'");
  });

  test.each([
    "x",
    "{}",
    '{"created_at":"2026-01-01T00:00:00Z","id":"1"}',
    '{"created_at":"2026-01-01T00:00:00Z,id.gt.0","id":"5b0c4c43-9d0b-4d8f-8f1d-8b11d0f6e5b0"}',
    '{"created_at":"2026-01-01T00:00:00Z","type":"articles","id":"a),or(id.gt.0"}',
  ])("the cursor %s is rejected", async (cursor) => {
    for (const path of ["/members", "/content", "/log"]) {
      const response = await admin.call(token, `${path}?after=${encodeURIComponent(cursor)}`);
      expect([path, response.status]).toEqual([path, 400]);
    }
  });

  test("an operator suspends a member for a given time, lifts the suspension, and features their profile", async () => {
    const member = await admin.member();
    const act = (name: string, body = {}) => admin.call(token, `/members/${member.id}/${name}`, body);
    const suspended = await (await act("suspend", { for: "7d" })).json();
    expect(suspended.text).toMatch(new RegExp(`^${member.email} is suspended until \\d{4}-`));
    expect((await admin.auth.client().auth.signInWithPassword(member)).error?.code).toBe("user_banned");
    expect((await act("suspend", { for: "7 days" })).status).toBe(400);
    expect((await (await act("unsuspend")).json()).text).toBe(`${member.email} can sign in again.`);
    expect((await admin.auth.client().auth.signInWithPassword(member)).error).toBeNull();
    const featured = async () =>
      (await admin.auth.service.from("profiles").select("featured").eq("id", member.id).single()).data
        ?.featured;
    await act("feature");
    expect(await featured()).toBe(true);
    await act("unfeature");
    expect(await featured()).toBe(false);
    expect((await act("retire")).status).toBe(200);
    expect((await admin.auth.client().auth.signInWithPassword(member)).error?.code).toBe("user_banned");
    expect((await act("unsuspend")).status).toBe(422);
    expect((await (await act("unretire")).json()).text).toBe(
      `${member.email} is a member again, and can sign in.`,
    );
    expect((await admin.auth.client().auth.signInWithPassword(member)).error).toBeNull();
    expect((await admin.call(token, `/members/${randomUUID()}/suspend`, {})).status).toBe(422);
  });

  test("a member gets a working link to set a new password", async () => {
    const member = await admin.member();
    const sent = admin.mails.length;
    await admin.call(token, `/members/${member.id}/password-link`, {});
    const [mail] = admin.mails.slice(sent);
    expect(mail?.to).toBe(member.email);
    const link = new URL(/https?:\/\/\S+token_hash=\S+/.exec(mail?.text ?? "")?.[0] ?? "");
    const client = admin.auth.client();
    const token_hash = link.searchParams.get("token_hash") ?? "";
    expect((await client.auth.verifyOtp({ type: "recovery", token_hash })).error).toBeNull();
  });

  test("an operator clears a profile, and removes all content of a member with its versions and pictures", async () => {
    const member = await admin.member();
    const { client } = member;
    const profile = {
      full_name: "Spam",
      bio: "Pills",
      company: "Pills",
      avatar_url: "https://pills.example/",
    };
    await client.from("profiles").update(profile).eq("id", member.id).throwOnError();
    const article = { author_id: member.id, title: "Pills", content: "x", published: true };
    const { data } = await client.from("articles").insert(article).select("id").single().throwOnError();
    await client.from("articles").update({ content: "y" }).eq("id", data.id).throwOnError();
    const link = { profile_id: member.id, title: "Pills", url: "/", category: "C" };
    const links = await client.from("useful_links").insert([link, link]).select("id").throwOnError();
    await client.from("useful_links").delete().eq("id", links.data[0]?.id).throwOnError();
    const picture = makePng(30, 20, 1);
    const uploaded = await client.storage
      .from("pictures")
      .upload(pathOf(member.id, picture), picture.bytes, { contentType: "image/png" });
    expect(uploaded.error).toBeNull();

    expect(await (await admin.call(token, `/members/${member.id}/content`)).json()).toEqual({
      counts: { ...NO_ITEMS, articles: 1, useful_links: 1 },
      pictures: 1,
      pictureBytes: picture.bytes.length,
    });
    expect(await (await admin.call(token, `/members/${member.id}/clear-profile`, {})).json()).toMatchObject({
      text: `The profile of ${member.email} was cleared: its texts, links and portrait.`,
    });
    const cleared = await client
      .from("profiles")
      .select("full_name,bio,company,avatar_url")
      .eq("id", member.id)
      .single();
    expect(cleared.data).toEqual({ full_name: "Spam", bio: null, company: null, avatar_url: null });
    const done = await (await admin.call(token, `/members/${member.id}/remove-content`, {})).json();
    expect(done).toEqual({
      text: `All content of ${member.email} was removed: 1 article, 1 link, 0 code samples and 1 picture.`,
      note: "Only a backup that was made before this can restore it.",
    });
    for (const [table, owner] of [
      ["articles", "author_id"],
      ["useful_links", "profile_id"],
      ["versions", "profile_id"],
    ] as const) {
      const left = await admin.auth.service.from(table).select("id").eq(owner, member.id).throwOnError();
      expect([table, left.data]).toEqual([table, []]);
    }
    expect((await client.storage.from("pictures").list(member.id)).data).toEqual([]);
  });

  test("an operator's page doesn't name a command if the item, the picture or the member is gone", async () => {
    const id = crypto.randomUUID();
    for (const name of ["unpublish", "publish", "remove"]) {
      const body = { id: `articles/${id}` };
      const { message } = await (await admin.call(token, `/content/${name}`, body)).json();
      expect(message).toBe(`There is no item with the ID ${name === "remove" ? id : body.id}.`);
    }
    const picture = `${id}/${"a".repeat(64)}.png`;
    const gone = await (await admin.call(token, "/content/remove", { id: picture })).json();
    expect(gone.message).toBe(`There is no picture with the ID ${picture}.`);
    const found = await (await admin.call(token, "/content?q=@nobody-has-this")).json();
    expect(found.message).toBe("There is no member with the username nobody-has-this.");
  });

  test("a member is removed only if the operator types their address", async () => {
    const member = await admin.member();
    const remove = (body: object) => admin.call(token, `/members/${member.id}/remove`, body);
    expect((await remove({})).status).toBe(400);
    expect((await remove({ email: operator.email })).status).toBe(422);
    const done = await (await remove({ email: ` ${member.email.toUpperCase()} ` })).json();
    expect(done.text).toBe(`${member.email} was removed with everything they owned.`);
    expect((await admin.auth.service.auth.admin.getUserById(member.id)).error?.status).toBe(404);
  });

  test("while a member's account is locked, a removal gets 503 and changes nothing, and later it is complete and logged", async () => {
    const member = await admin.member();
    const { bytes, ...picture } = makePng(30, 20, 2);
    const path = pathOf(member.id, { bytes, ...picture });
    const pictures = member.client.storage.from("pictures");
    await pictures.upload(path, bytes, { contentType: "image/png" });
    const logged = () => admin.auth.lines.filter((line) => line.includes("member.removed"));
    const before = logged().length;
    const remove = () => admin.call(token, `/members/${member.id}/remove`, { email: member.email });

    const other = await admin.auth.admin.connect();
    await other.query("begin");
    await other.query("select from auth.users where id = $1 for update", [member.id]);
    const refused = await remove();
    await other.query("rollback");
    other.release();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await refused.text()).not.toMatch(/http:|status 50/);
    expect((await pictures.list(member.id)).data).toHaveLength(1);
    expect(logged()).toHaveLength(before);

    expect((await remove()).status).toBe(200);
    expect((await admin.auth.service.storage.from("pictures").list(member.id)).data).toEqual([]);
    expect(logged()).toHaveLength(before + 1);
  });

  test("the last operator can be neither suspended nor removed, and two operators can't remove each other at the same moment", async () => {
    await admin.auth.admin.query(
      "update auth.users set raw_app_meta_data = raw_app_meta_data - 'role' where id <> $1",
      [operator.id],
    );
    const own = (name: string) =>
      admin.call(token, `/members/${operator.id}/${name}`, { email: operator.email });
    for (const name of ["suspend", "remove"]) {
      const refused = await own(name);
      expect([name, refused.status]).toEqual([name, 422]);
      expect((await refused.json()).message).toContain("is the last operator of this site");
    }
    const other = await admin.operator();
    const statuses = await Promise.all([
      admin.call(token, `/members/${other.id}/suspend`, {}),
      admin.call(await other.token(), `/members/${operator.id}/suspend`, {}),
    ]).then((responses) => responses.map(({ status }) => status));
    const { rows } = await admin.auth.admin.query(
      `select email from auth.users where raw_app_meta_data ->> 'role' = 'operator'
         and (banned_until is null or banned_until < now())`,
    );
    expect([statuses, rows.length > 0]).toEqual([statuses, true]);
    for (const { id } of [operator, other]) {
      await admin.auth.service.auth.admin.updateUserById(id, { ban_duration: "none" });
    }
    await admin.auth.service.auth.admin.updateUserById(other.id, { app_metadata: { role: null } });
    await operator.client.auth.signInWithPassword(operator);
    token = await operator.token();
  });

  test("invitations have a result for each line, and a line that fails doesn't stop the rest", async () => {
    const taken = await admin.member();
    const unique = randomUUID();
    const lines = [
      taken.email,
      "x@",
      `Ada L. <ada-${unique}@example.com>`,
      `"Byron, N.",n-${unique}@example.com`,
    ];
    const { results } = await (await admin.call(token, "/invitations", { lines })).json();
    expect(results).toEqual([
      { problem: "There is already a member with this email address: use another one." },
      { problem: '"x@" is not an email address.' },
      { text: `The invitation was sent to ada-${unique}@example.com.` },
      { text: `The invitation was sent to n-${unique}@example.com.` },
    ]);
    const found = await (await admin.call(token, `/members?q=${unique}`)).json();
    const names = found.rows.map(({ full_name, state }: Record<string, string>) => [full_name, state]);
    expect(names).toEqual([
      ["Byron, N.", "invited"],
      ["Ada L.", "invited"],
    ]);
    expect((await admin.call(token, "/invitations", { lines: Array(21).fill("x") })).status).toBe(400);
  });

  test("an operator makes an invitation link, sees it in the list and closes it, and the log names who did it", async () => {
    const wrong = await admin.call(token, "/invitation-links", { people: 501, days: 7 });
    expect(wrong.status).toBe(422);
    expect((await admin.call(token, "/invitation-links", { people: "2", days: 7 })).status).toBe(400);
    const sent = { people: 2, days: 7, domains: "Example.com" };
    const { id, link } = await (await admin.call(token, "/invitation-links", sent)).json();
    expect(link).toMatch(/\/join\/[\w-]{43}$/);
    const list = await (await admin.call(token, "/invitation-links")).json();
    expect(list.rows[0].id).toBe(id);
    expect(list.rows).toMatchObject([{ people: 2, used: 0, domains: ["example.com"] }]);
    const path = `/invitation-links/${list.rows[0].id}/close`;
    expect((await admin.call(token, path, {})).status).toBe(200);
    expect((await admin.call(token, path, {})).status).toBe(422);
    expect((await admin.call(token, "/invitation-links/x/close", {})).status).toBe(400);
    expect(await (await admin.call(token, "/invitation-links")).json()).toEqual({ rows: [] });
    const log = await (await admin.call(token, "/log")).json();
    expect(log.rows.slice(0, 2)).toMatchObject([
      { action: "invitation_link.closed", operator: operator.email, target: "Link for 2 people" },
      { action: "invitation_link.created", operator: operator.email, details: { domains: "example.com" } },
    ]);
    expect(JSON.stringify(log)).not.toContain(link.split("/join/")[1]);
  });

  test("the list of content contains all kinds and pictures, newest first, and finds items by text, address, id and author", async () => {
    const member = await admin.member();
    const { client, id } = member;
    await client
      .from("profiles")
      .update({ username: `spam-${backend}` })
      .eq("id", id)
      .throwOnError();
    const time = new Date().toISOString();
    const insert = async (table: string, row: object) =>
      (
        await admin.auth.service
          .from(table)
          .insert({ ...row, created_at: time })
          .select("id")
          .single()
          .throwOnError()
      ).data.id as string;
    const article = await insert("articles", {
      author_id: id,
      title: "A 100%_",
      content: "Text",
      published: true,
    });
    const link = await insert("useful_links", {
      profile_id: id,
      title: "Nice",
      url: "https://pills.example/",
      category: "C",
    });
    const sample = await insert("code_samples", {
      profile_id: id,
      title: "S",
      language: "sql",
      code_content: "select 1",
    });
    const picture = makePng(30, 20, 2);
    const path = pathOf(id, picture);
    await client.storage.from("pictures").upload(path, picture.bytes, { contentType: "image/png" });
    const list = async (query: string) => (await admin.call(token, `/content?${query}`)).json();
    const found = async (q: string) =>
      (await list(`q=${encodeURIComponent(q)}`)).rows.map((row: { id: string }) => row.id);
    expect(await found("PILLS.example")).toEqual([link]);
    expect(await found("100%_")).toEqual([article]);
    expect(await found(sample)).toEqual([sample]);
    expect(await found(path)).toEqual([path]);
    expect(await found(`@spam-${backend}`)).toEqual([path, article, link, sample]);
    expect(await found(`@${id}`)).toEqual([path, article, link, sample]);

    // Items with the same time are neither skipped nor repeated from page to page.
    const rows = Array.from({ length: 70 }, (_, index) => ({
      profile_id: id,
      title: `L${index}`,
      url: "/",
      category: "C",
      created_at: time,
    }));
    await admin.auth.service.from("useful_links").insert(rows).throwOnError();
    const seen: string[] = [];
    let after = "";
    for (;;) {
      const page = await list(`q=@${id}${after}`);
      seen.push(...page.rows.map((row: { id: string }) => row.id));
      if (page.isComplete) break;
      const { created_at, type, id: last } = page.rows.at(-1);
      after = `&after=${encodeURIComponent(JSON.stringify({ created_at, type, id: last }))}`;
    }
    expect([seen.length, new Set(seen).size]).toEqual([74, 74]);

    const unpublished = await (await admin.call(token, "/content/unpublish", { id: article })).json();
    expect(unpublished.text).toBe('"A 100%_" was unpublished. It is still listed on /articles.');
    const removed = await (await admin.call(token, "/content/remove", { id: link })).json();
    expect(removed).toMatchObject({
      text: '"Nice" was removed.',
      note: "Only a backup that was made before this can restore it.",
      removed: { id: link, url: "https://pills.example/" },
    });
    expect((await admin.call(token, "/content/remove", { id: path })).status).toBe(200);
    expect((await admin.call(token, "/content/remove", { id: path })).status).toBe(422);
  });

  test("the log contains every action with its operator, and only the service key can read or change it", async () => {
    const member = await admin.member();
    await admin.call(token, `/members/${member.id}/feature`, {});
    const { rows } = await (await admin.call(token, "/log")).json();
    expect(rows[0]).toMatchObject({
      operator_id: operator.id,
      operator: operator.email,
      action: "member.featured",
      target: member.email,
      details: { type: "member", id: member.id },
    });
    const { client } = operator;
    const table = () => client.from("operator_log");
    expect((await table().select("id")).data ?? []).toEqual([]);
    expect((await table().insert({ operator: "x", action: "x" })).error).not.toBeNull();
    await table().delete().not("id", "is", null);
    const { id } = rows[0];
    expect((await admin.auth.service.from("operator_log").delete().eq("id", id)).error).not.toBeNull();
    const age = "update public.operator_log set created_at = now() - $2::interval where id = $1";
    const ids = async () => {
      const log = await (await admin.call(token, "/log")).json();
      return log.rows.map((entry: { id: string }) => entry.id);
    };
    await admin.auth.admin.query(age, [id, "364 days"]);
    await admin.call(token, `/members/${member.id}/unfeature`, {});
    expect(await ids()).toContain(id);
    await admin.auth.admin.query(age, [id, "366 days"]);
    await admin.call(token, `/members/${member.id}/feature`, {});
    expect(await ids()).not.toContain(id);
  });
});

test("without a mail server, operators get the links to pass on", async () => {
  const admin = await startTestAdmin("built-in", { hasMail: false });
  const token = await (await admin.operator()).token();
  const { results } = await (await admin.call(token, "/invitations", { lines: ["new@example.com"] })).json();
  expect(results[0].text).toBe(
    "new@example.com is invited. There is no mail server: send them this link yourself.",
  );
  expect(results[0].link).toContain("token_hash=");
  const member = await admin.member();
  const done = await (await admin.call(token, `/members/${member.id}/password-link`, {})).json();
  expect(done.link).toContain("token_hash=");
  await admin.stop();
});
