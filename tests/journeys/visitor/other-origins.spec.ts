import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import type { createClient, SupabaseClient } from "@supabase/supabase-js";
import type { Member } from "../../support/members.ts";
import { makePng, pathOf } from "../../support/pictures.ts";
import { expect, openSite, type Site, testOwnSite } from "../../support/site.ts";

/** The unmodified supabase-js, as published for browsers. A page of another origin has loaded it. */
declare const supabase: { createClient: typeof createClient };

const LIBRARY = new URL("../../../node_modules/@supabase/supabase-js/dist/umd/supabase.js", import.meta.url);

/** Starts another site. Its only page loads supabase-js. */
async function startBlog() {
  const script = await readFile(LIBRARY);
  const server = createServer((request, response) => {
    if (request.url === "/supabase.js") response.setHeader("content-type", "text/javascript").end(script);
    else response.setHeader("content-type", "text/html").end(`<script src="/supabase.js"></script>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Opens a site that lets pages of a blog use its API. */
async function openSiteWithBlog() {
  const blog = await startBlog();
  const site = await openSite({ API_ORIGINS: blog.origin });
  return { ...site, blog: blog.origin, stop: () => site.stop().then(blog.stop) };
}

const test = testOwnSite(openSiteWithBlog);

/** Runs supabase-js in the page, as its own scripts would, and returns what they see. */
function useApi(page: Page, { url, keys }: Pick<Site, "url" | "keys">, member: Member, picture: string) {
  return page.evaluate(
    async ({ url, key, email, password, id, otherId, picture }) => {
      const client: SupabaseClient = supabase.createClient(url, key);
      const bucket = client.storage.from("pictures");
      // By default, supabase-js repeats a blocked read three times, with pauses of seven seconds in all.
      const anonymous = await client
        .from("articles")
        .select("title", { count: "exact" })
        .limit(1)
        .retry(false);
      const signedIn = await client.auth.signInWithPassword({ email, password });
      const article = { author_id: id, title: "From the blog", content: "x" };
      const created = await client.from("articles").insert(article).select("title").single();
      const changed = await client
        .from("articles")
        .update({ title: "Changed", published: true })
        .eq("author_id", id)
        .eq("title", "From the blog")
        .select("title");
      const called = await client.rpc("search_people", {}, { count: "exact" }).limit(1);
      const removed = await client.from("articles").delete({ count: "exact" }).eq("title", "Changed");
      const refused = await client.from("articles").insert({ ...article, author_id: otherId });
      const wrong = await client.auth.signInWithPassword({ email, password: "another one" });
      const downloaded = await bucket.download(picture);
      const uploaded = await bucket.upload(picture, new Blob(["x"], { type: "image/png" }), { upsert: true });
      const signedOut = await client.auth.signOut();
      return {
        anonymous: [anonymous.data?.length, anonymous.count],
        signedIn: signedIn.data.user?.id,
        created: created.data,
        changed: changed.data,
        called: [called.data?.length, called.count],
        removed: removed.count,
        refused: refused.error?.code,
        wrong: wrong.error?.code,
        downloaded: downloaded.data?.size,
        uploaded: uploaded.error?.message,
        signedOut: signedOut.error,
      };
    },
    { url, key: keys.anonKey, ...member, otherId: randomUUID(), picture },
  );
}

async function addPicture(site: Site, member: Member) {
  const picture = makePng(2, 1);
  const name = pathOf(member.id, picture);
  const { access_token } = await site.openSession(member);
  const response = await fetch(`${site.url}/storage/v1/object/pictures/${name}`, {
    method: "POST",
    headers: {
      apikey: site.keys.anonKey,
      authorization: `Bearer ${access_token}`,
      "content-type": "image/png",
    },
    body: picture.bytes,
  });
  expect(response.status).toBe(200);
  return { name, size: picture.bytes.length };
}

test.describe("on a page of an origin in API_ORIGINS, supabase-js", () => {
  // The browser reports the rejected sign-in and insert, and the upload that it does not send.
  test.use({ expectedProblems: [/status of 4\d\d|blocked by CORS policy|ERR_FAILED/] });

  test("reads, counts, signs in and writes, and shows pictures, but cannot upload any", async ({
    page,
    site,
  }) => {
    const member = await site.addMember({ full_name: "Ada Marlowe" });
    await site.addMember({ full_name: "Grace of Kigali" });
    for (const title of ["First", "Second"])
      await site.add("articles", { author_id: member.id, title, content: "x", published: true });
    const picture = await addPicture(site, member);
    await page.goto(site.blog);
    expect(await useApi(page, site, member, picture.name)).toEqual({
      anonymous: [1, 2],
      signedIn: member.id,
      created: { title: "From the blog" },
      changed: [{ title: "Changed" }],
      called: [1, 2],
      removed: 1,
      refused: "42501",
      wrong: "invalid_credentials",
      downloaded: picture.size,
      uploaded: "Failed to fetch",
      signedOut: null,
    });
  });
});

test.describe("on a page of an origin that API_ORIGINS lacks, supabase-js", () => {
  test.use({ expectedProblems: [/blocked by CORS policy|ERR_FAILED/] });

  test("can neither read nor write, because the browser blocks it", async ({ page, site }) => {
    const member = await site.addMember({ full_name: "Ada Marlowe" });
    await site.add("articles", { author_id: member.id, title: "First", content: "x", published: true });
    const picture = await addPicture(site, member);
    await page.goto(site.blog.replace("127.0.0.1", "community.test"));
    const seen = await useApi(page, site, member, picture.name);
    expect(seen).toMatchObject({ anonymous: [undefined, null], created: null, changed: null, removed: null });
    expect([seen.signedIn, seen.downloaded]).toEqual([undefined, undefined]);
    const { count } = await site.admin.from("articles").select("*", { count: "exact", head: true });
    expect(count).toBe(1);
  });
});
