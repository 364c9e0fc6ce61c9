import { violations } from "../../support/axe.ts";
import { freePort } from "../../support/free-port.ts";
import { CLIENT, type IdentityProvider, startIdentityProvider } from "../../support/identity-provider.ts";
import { createCommunity, type Member } from "../../support/members.ts";
import { startServer } from "../../support/server.ts";
import { test as base, expect, type Site } from "../../support/site.ts";

interface WorkerFixtures {
  provider: IdentityProvider;
  site: Site;
  /** The setting PASSWORD_SIGN_IN. */
  passwords: "on" | "off";
}

/** Like the shared `test`, but the site has single sign-on at a real OpenID Connect provider. */
const test = base.extend<object, WorkerFixtures>({
  passwords: ["on", { option: true, scope: "worker" }],
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const port = await freePort();
      const redirectUri = `http://127.0.0.1:${port}/auth/v1/callback`;
      const provider = await startIdentityProvider({ redirectUri });
      await use(provider);
      await provider.stop();
    },
    { scope: "worker" },
  ],
  site: [
    async ({ provider, passwords }, use) => {
      const server = await startServer({
        PORT: new URL(provider.redirectUri).port,
        OIDC_ISSUER: provider.issuer,
        OIDC_CLIENT_ID: CLIENT.clientId,
        OIDC_CLIENT_SECRET: CLIENT.clientSecret,
        OIDC_DOMAINS: "example.com",
        OIDC_NAME: "Example & Sons",
        PASSWORD_SIGN_IN: passwords,
      });
      await use({ ...server, ...createCommunity(server) });
      await server.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

const ADA = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada Marlowe" };
const BUTTON = "Sign in with Example & Sons";

test("a visitor signs in at the provider, sees their profile with their name, and is never asked for a password", async ({
  page,
  provider,
}) => {
  provider.setPerson(ADA);
  await page.goto("/profile");
  await page.getByRole("button", { name: BUTTON }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
  expect(new URL(page.url()).search + new URL(page.url()).hash).toBe("");
  await expect(page.getByRole("heading", { name: "Your Content" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Password" })).toBeHidden();
  await page.reload();
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
});

test("a member with a password who signs in at the provider keeps the form for changing it", async ({
  page,
  provider,
  site,
}) => {
  const member: Member = await site.addMember({ full_name: "Own Name" });
  provider.setPerson({ ...ADA, sub: member.id, email: member.email });
  await page.goto("/profile");
  await page.getByRole("button", { name: BUTTON }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("Own Name");
  await expect(page.getByRole("heading", { name: "Password" })).toBeVisible();
});

for (const [reason, changes, sentence] of [
  ["of another domain", { email: "ada@example.org" }, "Your email address can't be used to sign in here."],
  ["with an unverified address", { email_verified: false }, /^Your email address isn't verified\./],
] as const) {
  test(`a person ${reason} sees the reason on the sign-in form`, async ({ page, provider }) => {
    provider.setPerson({ ...ADA, sub: reason, ...changes });
    await page.goto("/profile");
    await page.getByRole("button", { name: BUTTON }).click();
    await expect(page.getByRole("alert")).toHaveText(sentence);
    await expect(page.getByLabel("Email address")).toBeVisible();
    expect(page.url()).toBe(new URL("/profile", page.url()).href);
  });
}

test("a person who cancels at the provider can try again", async ({ page, provider }) => {
  provider.setPerson(undefined);
  await page.goto("/profile");
  await page.getByRole("button", { name: BUTTON }).click();
  await expect(page.getByRole("alert")).toHaveText("The sign-in was cancelled.");
  provider.setPerson(ADA);
  await page.getByRole("button", { name: BUTTON }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
});

test("a code of another person's sign-in doesn't sign the member in, or out", async ({
  page,
  site,
  signIn,
}) => {
  const member = await site.addMember({ full_name: "Own Name" });
  await page.goto("/profile?code=an-attackers-code");
  await expect(page.getByRole("alert")).toBeVisible();
  await signIn(member);
  await page.goto("/profile?code=an-attackers-code");
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(page.getByLabel("Full Name")).toHaveValue("Own Name");
});

test("the sign-in form doesn't move while the page becomes interactive, and axe finds no violations", async ({
  page,
}) => {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value } = entry as PerformanceEntry & { value: number };
        document.documentElement.dataset["shift"] = String(value);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/profile");
  await expect(page.getByRole("button", { name: BUTTON })).toBeEnabled();
  expect(await page.locator("html").getAttribute("data-shift")).toBeNull();
  expect(await violations(page)).toEqual([]);
});

test.describe("with PASSWORD_SIGN_IN=off", () => {
  test.use({ passwords: "off" });

  test("the form has only the provider's button, with which a visitor signs in", async ({
    page,
    provider,
  }) => {
    provider.setPerson(ADA);
    await page.goto("/profile");
    await expect(page.getByRole("button", { name: BUTTON })).toBeEnabled();
    await expect(page.getByLabel("Email address")).toBeHidden();
    await expect(page.getByLabel("Password")).toBeHidden();
    await expect(page.getByText("Forgot your password?")).toBeHidden();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: BUTTON }).click();
    await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
  });

  test("a person who cancels sees the reason", async ({ page, provider }) => {
    provider.setPerson(undefined);
    await page.goto("/profile");
    await page.getByRole("button", { name: BUTTON }).click();
    await expect(page.getByRole("alert")).toHaveText("The sign-in was cancelled.");
  });

  test("without scripts, the form says that signing in needs them", async ({ browser, site }) => {
    const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
    const visitor = await context.newPage();
    await visitor.goto("/profile");
    await expect(visitor.getByText("Signing in needs JavaScript.")).toBeVisible();
    await context.close();
  });
});
