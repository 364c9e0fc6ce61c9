import { createCommunity } from "../../support/members.ts";
import { startProject } from "../../support/project.ts";
import { startServer } from "../../support/server.ts";
import { test as base, expect, type Site } from "../../support/site.ts";

/** Like the shared `test`, but the site uses a Supabase project with two providers. */
const test = base.extend<object, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const external = {
        email: true,
        phone: true,
        anonymous_users: false,
        azure: true,
        github: true,
        google: false,
      };
      const project = await startProject(external);
      const server = await startServer({
        SUPABASE_URL: project.url,
        SUPABASE_PUBLISHABLE_KEY: project.keys.anonKey,
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
    await page.goto("/admin");
    await expect(page.getByText(/SUPABASE_SECRET_KEY is missing/).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Remove", exact: true })).toHaveCount(0);
  });
});
