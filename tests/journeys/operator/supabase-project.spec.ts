import { readFile } from "node:fs/promises";
import { createCommunity, signInByForm } from "../../support/members.ts";
import { startProject } from "../../support/project.ts";
import { startServer } from "../../support/server.ts";
import { expect, type Site, testOwnSite } from "../../support/site.ts";

/** The ways to sign in that the project has enabled, as its auth service lists them. */
const EXTERNAL = {
  email: true,
  phone: true,
  anonymous_users: false,
  azure: true,
  github: true,
  google: false,
};

/** Opens a site that uses a Supabase project on another origin, which the browser calls directly. */
async function openSiteOnProject() {
  const project = await startProject(EXTERNAL);
  const settings = { SUPABASE_URL: project.url, SUPABASE_PUBLISHABLE_KEY: project.keys.anonKey };
  const server = await startServer({ ...settings, SUPABASE_SECRET_KEY: project.keys.serviceKey });
  return {
    ...server,
    ...createCommunity(project),
    settings,
    stop: () => server.stop().then(project.stop),
  };
}

const test = testOwnSite(openSiteOnProject);

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

test("the sign-in form has a button for each provider that a Supabase project has enabled, and it leads to the project", async ({
  page,
  site,
}) => {
  const starts: URL[] = [];
  await page.route("**/auth/v1/authorize**", (route) => {
    starts.push(new URL(route.request().url()));
    return route.fulfill({ body: "the provider's page" });
  });
  await page.goto("/profile");
  await expect(page.getByLabel("Email address")).toBeVisible();
  const buttons = page.getByRole("button", { name: /^Sign in with / });
  await expect(buttons).toHaveText(["Sign in with Microsoft", "Sign in with GitHub"]);
  await page.getByRole("button", { name: "Sign in with GitHub" }).click();
  await expect(page.getByText("the provider's page")).toBeVisible();
  const [start] = starts;
  expect(start?.origin).not.toBe(new URL(site.url).origin);
  expect(Object.fromEntries(start?.searchParams ?? [])).toMatchObject({
    provider: "github",
    redirect_to: `${site.url}/profile`,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "s256",
  });
});

test.describe("without SUPABASE_SECRET_KEY", () => {
  test.use({ expectedProblems: [/status of \d+/] });

  test("an operator sees on the operators' page what is missing", async ({ page, site, signIn }) => {
    const operator = await site.addMember({ full_name: "Olga Operator" });
    await site.admin.auth.admin.updateUserById(operator.id, { app_metadata: { role: "operator" } });
    await signIn(operator);
    const server = await startServer(site.settings);
    try {
      await page.goto(`${server.url}/admin`);
      await expect(page.getByText(/SUPABASE_SECRET_KEY is missing/).first()).toBeVisible();
      await expect(page.getByRole("button", { name: "Remove", exact: true })).toHaveCount(0);
    } finally {
      await server.stop();
    }
  });
});
