import { readdir, rm } from "node:fs/promises";
import { createClient } from "@supabase/supabase-js";
import { afterAll, expect, test, vi } from "vitest";
import { createAdminClient } from "../../server/admin/admin-client.ts";
import { allContent } from "../../server/admin/content.ts";
import { newDataDir } from "../support/data-dir.ts";
import { createCommunity } from "../support/members.ts";
import { startShared } from "../support/process.ts";
import { startProject } from "../support/project.ts";
import { readList } from "../support/read-list.ts";
import { getRaw } from "../support/visiting.ts";

const project = await startProject();
const dataDir = await newDataDir();
const site = await startShared({
  DATA_DIR: dataDir,
  SUPABASE_URL: project.url,
  SUPABASE_PUBLISHABLE_KEY: project.keys.anonKey,
  SUPABASE_SECRET_KEY: project.keys.serviceKey,
});
const member = await createCommunity(project).addMember({ full_name: "A member" });
const owner = member.id;
const author = createClient(project.url, project.keys.anonKey, { auth: { persistSession: false } });
await author.auth.signInWithPassword(member);
afterAll(async () => {
  await site.stop();
  await project.stop();
  await rm(dataDir, { recursive: true });
});

const pageOf = async (path: string) => (await fetch(`${site.url}${path}`)).text();

test("a site on a Supabase project is ready without writing a file to DATA_DIR", async () => {
  expect(await readdir(dataDir)).toEqual([]);
  expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
});

test("supabase-js can sign in, read and write through the site, which forwards the requests to the project", async () => {
  const member = await createCommunity(project).addMember({ full_name: "Another member" });
  const client = createClient(site.url, project.keys.anonKey, { auth: { persistSession: false } });
  const refused = await client.auth.signInWithPassword({ ...member, password: "another one" });
  expect(refused.error).toMatchObject({ status: 400, code: "invalid_credentials" });
  expect((await client.auth.signInWithPassword(member)).error).toBeNull();
  const row = { author_id: member.id, title: "Through the site", content: "x".repeat(200_000) };
  const inserted = await client.from("articles").insert(row).select().single();
  expect(inserted.data).toMatchObject(row);
  const { count } = await client.from("articles").select("*", { count: "exact", head: true });
  expect(count).toBeGreaterThan(0);
  const others = await client.from("articles").insert({ ...row, author_id: owner });
  expect(others).toMatchObject({ status: 403, error: { code: "42501" } });
  expect(
    (await client.auth.signUp({ email: "new@example.com", password: "a long password" })).error?.status,
  ).toBe(422);
});

test("a request with hop-by-hop headers is forwarded to the project without an error", async () => {
  const headers = {
    apikey: project.keys.anonKey,
    // Without TLS, Java's HTTP client and curl --http2 send the next three headers to offer HTTP/2.
    Connection: "Upgrade, HTTP2-Settings",
    Upgrade: "h2c",
    "HTTP2-Settings": "AAMAAABkAAQCAAAAAAIAAAAA",
    Expect: "100-continue",
  };
  const response = await getRaw(`${site.url}/rest/v1/articles?limit=1`, headers);
  expect(response.status, site.stderr()).toBe(200);
});

test("an article saved through the site appears in the site's list of articles immediately", async () => {
  expect(await pageOf("/articles")).not.toContain("At once");
  const service = createClient(site.url, project.keys.serviceKey, { auth: { persistSession: false } });
  expect(
    (await service.from("articles").insert({ author_id: owner, title: "At once", content: "x" })).error,
  ).toBe(null);
  expect(await pageOf("/articles")).toContain("At once");
});

test("pages let browsers connect only to the site and its project, and contain the public key but not the service key", async () => {
  const response = await fetch(site.url);
  expect(response.headers.get("content-security-policy")).toContain(`connect-src 'self' ${project.url};`);
  const html = await response.text();
  expect(html).toContain(project.url);
  expect(html).toContain(project.keys.anonKey);
  expect(html).not.toContain(project.keys.serviceKey);
});

test("an article saved directly in the project appears in the site's list of articles within ten seconds", async () => {
  expect(await pageOf("/articles")).not.toContain("Straight to the project");
  await author.from("articles").insert({ author_id: owner, title: "Straight to the project", content: "x" });
  // The project does not notify the server, so the server's cached page has to expire first.
  await vi.waitFor(async () => expect(await pageOf("/articles")).toContain("Straight to the project"), {
    timeout: 10_000,
  });
});

test("the .data response of a list is not cached, so it contains an article that was just saved in the project", async () => {
  const ask = () => pageOf("/articles.data");
  await ask();
  await author.from("articles").insert({ author_id: owner, title: "A moment ago", content: "x" });
  expect(await ask()).toContain("A moment ago");
});

test("lists of visitors and operators show 1,100 items even though the project limits a response to 1,000 rows", async () => {
  for (let hundred = 0; hundred < 1_100; hundred += 100) {
    const link = (index: number) => ({
      profile_id: owner,
      title: `L${hundred + index}`,
      url: "/",
      category: "C",
    });
    await author
      .from("useful_links")
      .insert(Array.from({ length: 100 }, (_, index) => link(index)))
      .throwOnError();
  }
  expect((await author.from("useful_links").select("id")).data).toHaveLength(1_000);
  const pages = await readList((path) => fetch(site.url + path), "/useful-links");
  const titles = [...pages.matchAll(/aria-label="Open (L\d+)"/g)].map(([, title]) => title);
  expect([titles.length, new Set(titles).size]).toEqual([1_100, 1_100]);
  const operator = createAdminClient({
    url: project.url,
    serviceKey: project.keys.serviceKey,
    ifUnreachable: "start the project",
    ifKeyRejected: "use the project's key",
  });
  const ids = (await allContent(operator, { type: "useful-links" })).map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([1_100, 1_100]);
  expect(await allContent(operator, { type: "useful-links" }, 1_050)).toHaveLength(1_050);
});

test("an article in a project gets a page, a social card and entries in feeds and the sitemap, and deleting it makes its page and card return 404", async () => {
  const { id } = await createCommunity(project).addMember({ username: "ada", full_name: "Ada" });
  const service = createClient(project.url, project.keys.serviceKey, { auth: { persistSession: false } });
  const row = { author_id: id, title: "On a project", content: "x", published: true };
  const { data } = await service.from("articles").insert(row).select("id").single().throwOnError();
  const path = `/articles/${data.id}`;
  const statusOf = async (address: string) => (await fetch(`${site.url}${address}`)).status;
  await vi.waitFor(async () => expect(await statusOf(path)).toBe(200), { timeout: 10_000 });
  expect(await pageOf(path)).toContain('href="/profile/ada"');
  for (const address of ["/profile/ada", "/feed.xml", "/profile/ada/feed.xml", "/sitemaps/articles-1.xml"]) {
    await vi.waitFor(async () => expect(await pageOf(address)).toContain(data.id.slice(-12)), {
      timeout: 10_000,
    });
  }
  for (const card of [`/cards${path}.png`, `/cards/people/${id}.png`, "/cards/site.png"]) {
    expect(await statusOf(card), card).toBe(200);
  }
  await service.from("articles").delete().eq("id", data.id).throwOnError();
  // The project does not notify the server, so the server's cached page has to expire first.
  await vi.waitFor(async () => expect(await statusOf(path)).toBe(404), { timeout: 10_000 });
  expect(await statusOf(`/cards${path}.png`)).toBe(404);
});

// Runs last, because the project is not started again.
test("when its project is down, a site reports that it isn't ready, answers API requests with 502 and answers a page that isn't cached with 503", async () => {
  await project.stop();
  expect((await fetch(`${site.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200);
  const client = createClient(site.url, project.keys.anonKey, { auth: { persistSession: false } });
  const result = await client.from("articles").select();
  expect(result).toMatchObject({ status: 502, error: { message: "The Supabase project is not responding" } });
  const page = await fetch(`${site.url}/useful-links?after=nothing`);
  expect(page.status).toBe(503);
  expect(await page.text()).toContain("Useful Links");
});
