import { readFile } from "node:fs/promises";
import { createCommunity, signInByForm } from "../../support/members.ts";
import { startProject } from "../../support/project.ts";
import { startServer } from "../../support/server.ts";
import { test as base, expect, type Site } from "../../support/site.ts";

/** Like the shared `test`, but the site uses a Supabase project on another origin, which the browser calls directly. */
const test = base.extend<object, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const project = await startProject();
      const server = await startServer({
        SUPABASE_URL: project.url,
        SUPABASE_PUBLISHABLE_KEY: project.keys.anonKey,
        SUPABASE_SECRET_KEY: project.keys.serviceKey,
      });
      await use({ ...server, ...createCommunity(project) });
      await server.stop();
      await project.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

// Starting this file's site takes seconds, so one worker runs all of its tests.
test.describe.configure({ mode: "default" });

/** Waits until the home page that visitors receive contains this text. */
async function expectOnHomePage(site: Site, text: string): Promise<void> {
  // The site doesn't see writes that go directly to the project, so its home page may be briefly out of date.
  const homePage = async () => (await fetch(site.url)).text();
  await expect.poll(homePage, { intervals: [100] }).toContain(text);
}

test("a member of a site on a Supabase project creates, publishes and deletes an article without calling the site's own API", async ({
  page,
  site,
}) => {
  const member = await site.addMember({ full_name: "Grace of Kigali" });
  const calls: string[] = [];
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (/^\/(auth|rest)\/v1\//.test(pathname)) calls.push(origin);
  });

  await signInByForm(page, member);
  await page.getByRole("link", { name: "Articles" }).click();
  await page.getByRole("heading", { name: "Create New Article" }).waitFor();
  await page.getByLabel("Title").fill("From another origin");
  await page.getByLabel("Content (Markdown)").fill("Written **straight** to the project.");
  await page.getByRole("button", { name: "Create Article" }).click();
  const card = page.getByRole("article").filter({ hasText: "From another origin" });
  await expect(card).toContainText("By Grace of Kigali");
  await expectOnHomePage(site, "No articles published yet.");

  await page.getByRole("button", { name: "Edit From another origin" }).click();
  await page.getByLabel("Title").fill("Edited from another origin");
  await page.getByLabel("Publish article").check();
  await page.getByRole("button", { name: "Update Article" }).click();
  await expect(page.getByRole("article")).toContainText("Edited from another origin");
  await expectOnHomePage(site, "Edited from another origin");
  await page.getByRole("button", { name: "Delete Edited from another origin" }).click();
  await expect(
    page.getByRole("main").getByText("No articles found matching your search criteria."),
  ).toBeVisible();

  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeHidden();
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.filter((origin) => origin === site.url)).toEqual([]);
});

test("a member invited by a link with tokens in its fragment, as hosted projects send it, chooses a password and is signed in", async ({
  page,
  site,
}) => {
  const email = "invited@example.com";
  const { data } = await site.admin.auth.admin.generateLink({ type: "invite", email });
  // Don't use `site.admin`: its client would switch to the invited member's session.
  const opened = await fetch(`${site.url}/auth/v1/verify`, {
    method: "POST",
    headers: { apikey: site.keys.anonKey, "Content-Type": "application/json" },
    body: JSON.stringify({ type: "invite", token_hash: data.properties?.hashed_token }),
  });
  const { access_token, refresh_token } = (await opened.json()) as Record<
    "access_token" | "refresh_token",
    string
  >;
  const tokens = new URLSearchParams({ access_token, refresh_token, type: "invite", token_type: "bearer" });
  await page.goto(`/profile#${tokens}`);
  await expect(page.getByText(`For ${email} on Techfolio.pro`)).toBeVisible();
  await expect(page).toHaveURL("/profile");
  await page.getByLabel("New password").fill("chosen by the invited");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  await site.openSession({ id: "", email, password: "chosen by the invited" });
});

test("a member of a site on a Supabase project downloads their content and imports it again", async ({
  page,
  site,
}) => {
  const member = await site.addMember({ username: "grace" });
  const article = { author_id: member.id, title: "Kept", content: "Byte for byte\r\n", published: true };
  const { id } = await site.add("articles", article);
  await signInByForm(page, member);
  const section = page.getByRole("region", { name: "Your Content" });
  const started = page.waitForEvent("download");
  await section.getByRole("button", { name: "Download My Content" }).click();
  const path = await (await started).path();
  await site.admin.from("articles").delete().eq("id", id).throwOnError();

  await section
    .getByLabel("Import Content")
    .setInputFiles({ name: "grace.zip", mimeType: "application/zip", buffer: await readFile(path) });
  await section.getByRole("button", { name: "Import 1 Items" }).click();
  await expect(section).toContainText("Imported 1 item.");
  const { data } = await site.admin.from("articles").select("*").eq("id", id).throwOnError();
  expect(data).toMatchObject([article]);
});
