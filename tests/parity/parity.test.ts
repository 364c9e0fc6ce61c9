// Most of what Techfolio needs from a Supabase backend, tested with an unmodified supabase-js and the application's
// own queries. `npm run parity` tests the project at SUPABASE_URL and cleans up the members and rows it creates there.
import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { type AuthChangeEvent, createClient, type Session, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMailLink } from "../../app/session/mail-link.ts";
import { redeemLink } from "../../app/session/redeem-link.ts";
import type { DataClient } from "../../common/data/client.ts";
import { type ContentQuery, newest, readItem, searchContent } from "../../common/data/content-reads.ts";
import { deleteRow, upsertItem } from "../../common/data/content-writes.ts";
import { featuredPeople } from "../../common/data/people-reads.ts";
import { readerOf } from "../../common/data/postgrest-reader.ts";
import { addSkill, readProfile, readSkills, saveProfile, updateSkill } from "../../common/data/profile.ts";
import type { Authored, NewRow } from "../../common/data/schema.ts";
import { type Article, articles } from "../../common/kinds/articles.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { sampleCode } from "../../common/kinds/sample-code.ts";
import { usefulLinks } from "../../common/kinds/useful-links.ts";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";
import { createStorage, type Storage } from "../support/auth.ts";
import { makePng, pathOf } from "../support/pictures.ts";
import { type Project, targets } from "./targets.ts";

/** Marks this run's rows, because the project may contain others. */
const mark = `Parity ${randomBytes(4).toString("hex")}`;
/** The most that the database allows, so that Ann is the first of the project's featured professionals. */
const mostYears = 80;

interface Member {
  id: string;
  email: string;
  password: string;
  client: SupabaseClient;
  /** The same object as `client`, with the type that the application's queries expect. */
  data: DataClient;
}

const asData = (client: SupabaseClient) => client as unknown as DataClient;
const asReader = (client: SupabaseClient) => readerOf(asData(client));

describe.each(targets)("the Supabase protocol of %s", (_name, open) => {
  let project: Project;
  let service: SupabaseClient;
  let visitor: SupabaseClient;
  let ann: Member;
  let bob: Member;
  const accounts: string[] = [];

  const newClient = (storage: Storage = createStorage()) =>
    createClient(project.url, project.publishableKey, {
      auth: {
        flowType: "pkce",
        storage,
        storageKey: "techfolio.session",
        autoRefreshToken: false,
        detectSessionInUrl: false,
      },
    });

  async function addMember(): Promise<Member> {
    const account = {
      email: `parity-${randomBytes(6).toString("hex")}@example.com`,
      password: randomBytes(12).toString("base64url"),
    };
    const { data, error } = await service.auth.admin.createUser({ ...account, email_confirm: true });
    if (error) throw error;
    accounts.push(data.user.id);
    const client = newClient();
    const signedIn = await client.auth.signInWithPassword(account);
    if (signedIn.error) throw signedIn.error;
    return { ...account, id: data.user.id, client, data: asData(client) };
  }

  async function signIn(member: Member): Promise<Session> {
    const { data, error } = await newClient().auth.signInWithPassword(member);
    if (error) throw error;
    return data.session;
  }

  const renew = (refresh_token: string) => newClient().auth.refreshSession({ refresh_token });

  beforeAll(async () => {
    project = await open();
    service = createClient(project.url, project.secretKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    visitor = newClient();
    [ann, bob] = [await addMember(), await addMember()];
  });
  afterAll(async () => {
    for (const id of accounts) {
      const { error } = await service.auth.admin.deleteUser(id);
      expect(error).toBeNull();
    }
    const remaining = await service.from("profiles").select("id").in("id", accounts);
    expect(remaining.data).toEqual([]);
    await project.stop();
  });

  const link = (owner: string, title = mark) => ({ profile_id: owner, title, url: "/", category: "Parity" });
  const query = (change: Partial<ContentQuery> = {}): ContentQuery => ({
    text: "",
    author: "",
    sort: "desc",
    cursor: null,
    size: 10,
    ...change,
  });

  describe("signing in with a password", () => {
    test("a member who signs in with email and password gets a session of 8 hours (specification §7, call 1)", async () => {
      const client = newClient();
      const { data, error } = await client.auth.signInWithPassword(ann);
      expect(error).toBeNull();
      expect(data.session).toMatchObject({ token_type: "bearer", expires_in: 28_800, user: { id: ann.id } });
      expect(data.session?.refresh_token).toBeTruthy();
    });

    test.each(["a wrong password", "an unknown email address"])(
      "sign-in with %s fails with the same generic error",
      async (mistake) => {
        const email =
          mistake === "an unknown email address" ? `nobody-${mark.slice(7)}@example.com` : ann.email;
        const { error } = await newClient().auth.signInWithPassword({ email, password: "a wrong one" });
        expect(error).toMatchObject({
          status: 400,
          code: "invalid_credentials",
          message: "Invalid login credentials",
        });
      },
    );

    test("visitors cannot sign up or sign in anonymously", async () => {
      const email = `stranger-${mark.slice(7)}@example.com`;
      const signedUp = await newClient().auth.signUp({ email, password: "a good password" });
      expect(signedUp.error).toMatchObject({ status: 422, code: "signup_disabled" });
      expect((await newClient().auth.signInAnonymously()).error?.status).toBe(422);
    });
  });

  describe("sessions and refresh tokens", () => {
    test("a session is restored from storage, and every change to it fires an event (specification §7, call 3)", async () => {
      const storage = createStorage();
      const first = newClient(storage);
      await first.auth.signInWithPassword(bob);
      const events: AuthChangeEvent[] = [];
      const later = newClient(storage);
      const { data } = later.auth.onAuthStateChange((event) => void events.push(event));
      expect((await later.auth.getSession()).data.session?.user.id).toBe(bob.id);
      await later.auth.refreshSession();
      await later.auth.updateUser({ data: { seen: mark } });
      await later.auth.signOut({ scope: "local" });
      // supabase-js also fires SIGNED_IN for a stored session, either before or after the other events.
      await expect
        .poll(() => events.filter((event) => event !== "SIGNED_IN"))
        .toEqual(["INITIAL_SESSION", "TOKEN_REFRESHED", "USER_UPDATED", "SIGNED_OUT"]);
      data.subscription.unsubscribe();
    });

    test("signing out locally ends the current session but not the member's other ones (specification §7, call 2)", async () => {
      const [here, there] = [newClient(), newClient()];
      const { data } = await here.auth.signInWithPassword(bob);
      await there.auth.signInWithPassword(bob);
      expect((await here.auth.signOut({ scope: "local" })).error).toBeNull();
      expect((await here.auth.getSession()).data.session).toBeNull();
      const refresh_token = data.session?.refresh_token ?? "";
      expect((await newClient().auth.refreshSession({ refresh_token })).error?.status).toBe(400);
      expect((await there.auth.refreshSession()).error).toBeNull();
    });

    test("eight clients that refresh with the same token at once all get the same successor", async () => {
      const session = await signIn(bob);
      const renewed = await Promise.all(Array.from({ length: 8 }, () => renew(session.refresh_token)));
      expect(renewed.map(({ error }) => error)).toEqual(Array(8).fill(null));
      const successors = new Set(renewed.map(({ data }) => data.session?.refresh_token));
      expect(successors.size).toBe(1);
      const [successor = ""] = successors;
      expect((await renew(successor)).error).toBeNull();
    });

    test("five browser tabs that refresh at once all stay signed in", async () => {
      const storage = createStorage();
      await newClient(storage).auth.signInWithPassword(bob);
      const tabs = Array.from({ length: 5 }, () => newClient(storage));
      await Promise.all(tabs.map((tab) => tab.auth.refreshSession()));
      const users = await Promise.all(tabs.map((tab) => tab.auth.getUser()));
      expect(users.map(({ data }) => data.user?.id)).toEqual(Array(5).fill(bob.id));
    });

    test("a sign-out ends the session even if a refresh runs at the same moment", async () => {
      const client = newClient();
      const { data } = await client.auth.signInWithPassword(bob);
      const token = data.session?.refresh_token ?? "";
      const [renewed] = await Promise.all([renew(token), client.auth.signOut({ scope: "local" })]);
      expect((await renew(renewed.data.session?.refresh_token ?? token)).error?.status).toBe(400);
    });

    test("a refresh token from two refreshes ago is rejected after the reuse interval", async () => {
      const { refresh_token: first } = await signIn(bob);
      const second = (await renew(first)).data.session?.refresh_token ?? "";
      expect((await renew(second)).error).toBeNull();
      await setTimeout(project.reuseIntervalMs);
      expect((await renew(first)).error).toMatchObject({ status: 400, code: "refresh_token_already_used" });
    });
  });

  describe("recovering a forgotten password", () => {
    test("a recovery link signs the member in once, and the new password replaces the old one", async () => {
      const member = await addMember();
      const created = await service.auth.admin.generateLink({ type: "recovery", email: member.email });
      const token_hash = created.data.properties?.hashed_token ?? "";
      const browser = newClient();
      expect((await browser.auth.verifyOtp({ token_hash, type: "recovery" })).error).toBeNull();
      const password = randomBytes(12).toString("base64url");
      expect((await browser.auth.updateUser({ password })).error).toBeNull();

      const again = await newClient().auth.verifyOtp({ token_hash, type: "recovery" });
      expect(again.error).toMatchObject({ status: 403, code: "otp_expired" });
      expect((await newClient().auth.signInWithPassword(member)).error?.code).toBe("invalid_credentials");
      const { email } = member;
      expect((await newClient().auth.signInWithPassword({ email, password })).error).toBeNull();
    });

    test("a generated recovery link leads to a URL that signs the member in", async () => {
      const created = await service.auth.admin.generateLink({ type: "recovery", email: bob.email });
      const mailed = created.data.properties?.action_link ?? "";
      const response = await fetch(mailed, { redirect: "manual" });
      const link = readMailLink(new URL(response.headers.get("location") ?? mailed));
      expect(link).toMatchObject({ type: "recovery" });
      const redeemed = await redeemLink(newClient().auth, link ?? { form: "dead", code: "" }, bob.email);
      expect(redeemed).toMatchObject({ session: { user: { id: bob.id, email: bob.email } } });
    });
  });

  describe("a member's profile and skills", () => {
    test("a new account has a profile (specification §7, call 9)", async () => {
      expect(await readProfile(asData(visitor), bob.id)).toMatchObject({ id: bob.id, featured: false });
    });

    test("a visitor reads every field of a saved profile (specification §7, calls 9 and 11)", async () => {
      const profile: NewRow<"profiles"> = {
        id: ann.id,
        username: mark,
        full_name: 'Ann O\'Neil, "A" (100 %)',
        bio: "",
        avatar_url: "",
        current_title: "Engineer",
        company: "",
        years_experience: mostYears,
        featured: true,
        linkedin_url: "https://linkedin.example/ann",
        featured_skills: ["SQL", "a, b", '"c"'],
        updated_at: new Date().toISOString(),
      };
      await saveProfile(ann.data, profile);
      const { updated_at: _saved, ...fields } = profile;
      expect(await readProfile(asData(visitor), ann.id)).toMatchObject(fields);
    });

    test("a member adds, changes and deletes skills, which are read in order of category, and a proficiency of 6 is rejected (specification §7, calls 10 and 12 to 14)", async () => {
      const skill = { category: "sql", name: "Joins", proficiency: 3, years_experience: 1 } as const;
      await addSkill(ann.data, ann.id, skill);
      await addSkill(ann.data, ann.id, { ...skill, category: "aws", name: "S3" });
      const skills = await readSkills(asData(visitor), ann.id);
      expect(skills.map(({ category }) => category)).toEqual(["aws", "sql"]);
      const [aws, sql] = skills;
      await updateSkill(ann.data, aws?.id ?? "", { ...skill, proficiency: 5 });
      await deleteRow(ann.data, "skills", sql?.id ?? "");
      expect(await readSkills(asData(visitor), ann.id)).toMatchObject([{ id: aws?.id, proficiency: 5 }]);
      await expect(addSkill(ann.data, ann.id, { ...skill, proficiency: 6 })).rejects.toThrow();
    });
  });

  describe("reading and writing content", () => {
    const rows: [string, KindDefinition, Record<string, unknown>, Record<string, unknown>][] = [
      ["articles", articles, { title: mark, content: "# One", published: true }, { content: "# Two" }],
      [
        "useful_links",
        usefulLinks,
        { title: mark, url: "/", description: null, category: "C" },
        { url: "https://x.example" },
      ],
      [
        "code_samples",
        sampleCode,
        { title: mark, description: "", code_content: "1", language: "sql" },
        { language: "bash" },
      ],
    ];

    test.each(rows)(
      "rows of %s are created, read with their author, changed and deleted (specification §7, calls 15 to 17)",
      async (_table, { table, ownerColumn }, fields, change) => {
        const id = crypto.randomUUID();
        await upsertItem(ann.data, table, { id, [ownerColumn]: ann.id, ...fields });
        const [created] = (await searchContent(asReader(visitor), table, query({ text: mark }))).items;
        expect(created).toMatchObject({ ...fields, id, [ownerColumn]: ann.id, profiles: { username: mark } });
        await upsertItem(ann.data, table, { id, [ownerColumn]: ann.id, ...fields, ...change });
        expect(await readItem(asReader(visitor), table, id)).toMatchObject({
          ...change,
          created_at: created?.created_at,
        });
        await deleteRow(ann.data, table, id);
        expect(await readItem(asReader(visitor), table, id)).toBeNull();
      },
    );

    test("the home page's queries return the newest published articles, links and samples, and featured members (specification §7, calls 4 to 8)", async () => {
      const article = { author_id: ann.id, content: "x" };
      const created = await ann.client
        .from("articles")
        .insert([
          { ...article, title: `${mark} out`, published: true },
          { ...article, title: `${mark} draft`, published: false },
        ])
        .select("id");
      const sample = { profile_id: ann.id, title: mark, code_content: "1", language: "sql" };
      await ann.client.from("code_samples").insert(sample).throwOnError();
      await ann.client.from("useful_links").insert(link(ann.id)).throwOnError();
      const data = asReader(visitor);
      const query = { columns: ["title", "published"], withAuthor: true, limit: 3 };
      const newestArticles = await newest<Authored<Article>>(data, articles, query);
      expect(newestArticles[0]).toMatchObject({ title: `${mark} out`, profiles: { username: mark } });
      expect(newestArticles.every(({ published }) => published)).toBe(true);
      expect((await featuredPeople(data))[0]).toMatchObject({ id: ann.id, skills: [{ proficiency: 5 }] });
      for (const kind of [usefulLinks, sampleCode]) {
        expect(await newest(data, kind, { columns: ["title"], limit: 1 })).toEqual([{ title: mark }]);
      }
      await ann.client
        .from("articles")
        .delete()
        .in("id", created.data?.map(({ id }) => id) ?? []);
    });

    test.each(["100 %", "under_score", "back\\slash", 'a "quote"', "a, (b)", "Ünïcödé", "a.b:c"])(
      "a search for %s matches it literally, ignores case and can be limited to an author",
      async (text) => {
        await ann.client
          .from("useful_links")
          .insert([link(ann.id, `${mark} ${text} x`)])
          .throwOnError();
        const titlesOf = async (change: Partial<ContentQuery>) =>
          (await searchContent(asReader(visitor), "useful_links", query(change))).items.map(
            ({ title }) => title,
          );
        const title = `${mark} ${text} x`;
        expect(await titlesOf({ text: `${mark} ${text}`.toUpperCase() })).toEqual([title]);
        expect(await titlesOf({ text, author: mark })).toEqual([title]);
        expect(await titlesOf({ text, author: `not ${mark}` })).toEqual([]);
      },
    );

    test("paging through a long list returns every row exactly once", async () => {
      const member = await addMember();
      const stored = Array.from({ length: 1_100 }, (_, index) => `${mark} no. ${index}`);
      for (let from = 0; from < stored.length; from += 100) {
        const rows = stored.slice(from, from + 100).map((title) => link(member.id, title));
        await service.from("useful_links").insert(rows).throwOnError();
      }
      const seen: string[] = [];
      const all = query({ text: `${mark} no.` });
      const size = 61;
      for (let last: { created_at: string; id: string } | undefined; ; ) {
        const cursor = last ? { createdAt: last.created_at, id: last.id } : null;
        const { items: found } = await searchContent(asReader(visitor), "useful_links", {
          ...all,
          cursor,
          size,
        });
        seen.push(...found.map(({ title }) => title));
        last = found.at(-1);
        if (found.length < size) break;
      }
      expect(seen.toSorted()).toEqual(stored.toSorted());
    });
  });

  describe("access rules for every table", () => {
    test.each(["profiles", "skills", "articles", "useful_links", "code_samples"])(
      "visitors can read %s but not write it",
      async (table) => {
        expect((await visitor.from(table).select("*").limit(1)).error).toBeNull();
        const insert = await visitor.from(table).insert({ id: crypto.randomUUID() });
        expect(insert).toMatchObject({ status: 401, error: { code: "42501" } });
        const remove = await visitor.from(table).delete().eq("id", crypto.randomUUID());
        expect(remove).toMatchObject({ status: 401, error: { code: "42501" } });
      },
    );

    test("a member can write neither in another member's name nor to another member's rows, and cannot delete their own profile", async () => {
      const { data: own } = await ann.client.from("useful_links").insert(link(ann.id)).select("*").single();
      expect(await bob.client.from("useful_links").insert(link(ann.id))).toMatchObject({
        status: 403,
        error: { code: "42501" },
      });
      const taken = { ...own, title: "Taken", profile_id: bob.id };
      expect(await bob.client.from("useful_links").upsert(taken)).toMatchObject({ status: 403 });
      const change = bob.client.from("useful_links").update({ title: "Changed" }).eq("id", own.id);
      expect((await change.select("id")).data).toEqual([]);
      expect((await bob.client.from("useful_links").delete().eq("id", own.id).select("id")).data).toEqual([]);
      expect((await bob.client.from("profiles").upsert({ id: ann.id, bio: "x" })).status).toBe(403);
      expect((await bob.client.from("profiles").delete().eq("id", bob.id)).status).toBe(403);
      expect(await readItem(asReader(visitor), "useful_links", own.id)).toMatchObject({ title: mark });
    });

    test("an update leaves a row's id, owner and creation time unchanged, even if its owner sends other values", async () => {
      const { data: own } = await ann.client.from("useful_links").insert(link(ann.id)).select("*").single();
      const id = crypto.randomUUID();
      const sent = { id, title: "Updated", profile_id: bob.id, created_at: "2001-01-01T00:00:00Z" };
      await ann.client.from("useful_links").update(sent).eq("id", own.id).throwOnError();
      expect(await readItem(asReader(visitor), "useful_links", own.id)).toMatchObject({
        title: "Updated",
        profile_id: ann.id,
        created_at: own.created_at,
      });
      expect(await readItem(asReader(visitor), "useful_links", id)).toBeNull();
    });

    test("members cannot read auth.users or list accounts", async () => {
      const response = await ann.client.schema("auth").from("users").select("*");
      expect(response).toMatchObject({ status: 406, error: { code: "PGRST106" } });
      expect((await ann.client.auth.admin.listUsers()).error?.status).toBeGreaterThanOrEqual(401);
    });
  });

  describe("pictures in Storage", () => {
    const picture = makePng(40, 30, 77);
    const storageOf = (client: SupabaseClient) => client.storage.from("pictures");
    const options = { contentType: "image/png", cacheControl: "31536000", upsert: true };

    test("a member uploads, lists and removes a picture, and anyone can read it, also by range or with an ETag", async () => {
      const path = pathOf(ann.id, picture);
      const files = [picture.bytes, new Blob([picture.bytes], { type: "image/png" })];
      for (const file of files) {
        const { data, error } = await storageOf(ann.client).upload(path, file, options);
        expect(error).toBeNull();
        expect(data).toMatchObject({ path, fullPath: `pictures/${path}` });
      }
      const response = await fetch(`${project.url}${PUBLIC_PATH}${path}`);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(picture.bytes);
      expect(response.headers.get("content-type")).toBe("image/png");
      expect(response.headers.get("cache-control")).toContain("max-age=31536000");
      const etag = response.headers.get("etag") ?? "";
      const unchanged = await fetch(response.url, { headers: { "if-none-match": etag } });
      expect(unchanged.status).toBe(304);
      const part = await fetch(response.url, { headers: { range: "bytes=1-3" } });
      expect([part.status, await part.text()]).toEqual([206, "PNG"]);

      const name = path.slice(ann.id.length + 1);
      const listed = await storageOf(ann.client).list(ann.id);
      expect(listed.data).toMatchObject([
        { name, metadata: { size: picture.bytes.length, mimetype: "image/png" } },
      ]);
      const again = await storageOf(ann.client).upload(path, picture.bytes, { ...options, upsert: false });
      expect(again.error).toMatchObject({
        status: 400,
        statusCode: "409",
        message: "The resource already exists",
      });
      expect((await storageOf(ann.client).remove([path])).data).toMatchObject([{ name: path }]);
      expect((await storageOf(ann.client).list(ann.id)).data).toEqual([]);
    });

    test("a member cannot add or remove pictures in another member's folder, a visitor can neither upload nor list pictures, and invalid file names are rejected", async () => {
      const denied = { statusCode: "403", message: "new row violates row-level security policy" };
      const upload = async (client: SupabaseClient, path: string) =>
        (await storageOf(client).upload(path, picture.bytes, options)).error;
      expect(await upload(ann.client, pathOf(bob.id, picture))).toMatchObject(denied);
      // Techfolio names the right path (400). The project's policy only rejects the wrong one (403).
      const misnamed = await upload(ann.client, `${ann.id}/picture.png`);
      expect(misnamed).toMatchObject({ statusCode: expect.stringMatching(/^40[03]$/) });
      expect(await upload(visitor, pathOf(ann.id, picture))).toMatchObject(denied);
      const path = pathOf(bob.id, picture);
      expect(await upload(bob.client, path)).toBeNull();
      expect((await storageOf(ann.client).remove([path])).data).toEqual([]);
      expect((await storageOf(visitor).list(bob.id)).data).toEqual([]);
      expect((await storageOf(service).remove([path])).data).toHaveLength(1);
    });

    test("an upload of more than 5 MB or of an SVG file is rejected", async () => {
      const path = pathOf(ann.id, picture);
      const large = await storageOf(ann.client).upload(path, Buffer.alloc(6 * 1024 * 1024), options);
      expect(large.error).toMatchObject({ statusCode: "413" });
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
      const other = await storageOf(ann.client).upload(path, svg, { contentType: "image/svg+xml" });
      expect(other.error).toMatchObject({ statusCode: "415" });
    });
  });

  describe("error responses to reads and writes", () => {
    const insert = (row: Record<string, unknown>) =>
      ann.client.from("useful_links").insert({ ...link(ann.id), ...row });

    test("a rejected write gets PostgreSQL's or PostgREST's error code", async () => {
      expect(await insert({ title: "" })).toMatchObject({ status: 400, error: { code: "23514" } });
      expect(await insert({ url: "javascript:alert(1)" })).toMatchObject({ error: { code: "23514" } });
      expect(await insert({ title: null })).toMatchObject({ status: 400, error: { code: "23502" } });
      expect(await insert({ colour: "red" })).toMatchObject({ status: 400, error: { code: "PGRST204" } });
      expect(await insert({ id: "no uuid" })).toMatchObject({ status: 400, error: { code: "22P02" } });
    });

    test("a failed read gets PostgreSQL's or PostgREST's error code", async () => {
      const links = visitor.from("useful_links");
      expect(await links.select("colour")).toMatchObject({ status: 400, error: { code: "42703" } });
      const none = await links.select("*").eq("id", crypto.randomUUID()).single();
      expect(none).toMatchObject({ status: 406, error: { code: "PGRST116" } });
      expect((await visitor.from("nothing").select("*")).status).toBe(404);
    });

    test("a request without a key or with a forged token gets 401", async () => {
      const address = `${project.url}/rest/v1/articles?select=id&limit=1`;
      expect((await fetch(address)).status).toBe(401);
      const forged = { apikey: project.publishableKey, authorization: "Bearer a.b.c" };
      expect((await fetch(address, { headers: forged })).status).toBe(401);
    });
  });
});
