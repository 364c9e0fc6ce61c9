import type { Page } from "@playwright/test";
import { FAILED_REQUESTS } from "../../support/forms.ts";
import type { Member } from "../../support/members.ts";
import { expect, type Site, test } from "../../support/site.ts";

const INVALID_LINK = "This link is invalid or has expired. Please ask for a new one.";
const WRONG_BROWSER = "Please open the link in the browser where you requested it, or request a new one.";
const CONFIRMATION = /^If this address has an account, an email with a link is on its way/;

function mailedLinks(site: Site, email: string): string[] {
  const mails = site
    .output()
    .split(/^Email to /m)
    .slice(1);
  return mails
    .filter((mail) => mail.startsWith(`${email}:`))
    .flatMap((mail) => mail.match(/https?:\S+/) ?? []);
}

/** Requests a recovery email in the sign-in form and returns its link. */
async function requestLink(page: Page, site: Site, { email }: Member): Promise<string> {
  await page.goto("/profile");
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page.getByRole("status").filter({ hasText: CONFIRMATION })).toBeVisible();
  await expect.poll(() => mailedLinks(site, email)).toHaveLength(1);
  return mailedLinks(site, email)[0] ?? "";
}

/** Creates a recovery link as an operator does. It works in any browser, unlike a link requested in the sign-in form. */
async function createRecoveryLink(site: Site, { email }: Member): Promise<string> {
  const { data } = await site.admin.auth.admin.generateLink({ type: "recovery", email });
  return `/profile?token_hash=${data.properties?.hashed_token}&type=recovery`;
}

async function choosePassword(page: Page, password: string): Promise<void> {
  await expect(
    page.getByRole("heading", { name: /^(Choose a new password|Welcome to Techfolio\.pro)$/ }),
  ).toBeVisible();
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
}

test('the "Forgot your password?" link needs an email address, and shows the same message for an unknown one as for a known one, but sends no email', async ({
  page,
  site,
}) => {
  await page.goto("/profile");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const link = page.getByRole("link", { name: "Forgot your password?" });
  await link.click();
  await expect(page.getByLabel("Email address"), "an empty field gets the focus").toBeFocused();
  await expect(page).toHaveURL("/profile");
  await page.getByLabel("Email address").fill("nobody@example.com");
  await link.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: CONFIRMATION })).toBeVisible();
  expect(requests.filter((url) => url.includes("/recover"))).toHaveLength(1);
  await expect(page.getByRole("alert")).toHaveCount(0);
  // Wait for the email of a later request: by then, an email to the unknown address would have been printed, too.
  await requestLink(page, site, await site.addMember());
  expect(mailedLinks(site, "nobody@example.com")).toEqual([]);
});

test("opening an invitation link does not use it up, and an invited member chooses a password, is signed in, and can sign in again with that password", async ({
  page,
  site,
}) => {
  const email = "invited@example.com";
  const { data, error } = await site.admin.auth.admin.generateLink({
    type: "invite",
    email,
    options: { data: { full_name: "Ada Byron" } },
  });
  expect(error).toBeNull();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));

  await test.step("opening and reloading the link does not use it up, and the page names the account", async () => {
    await page.goto(`/profile?token_hash=${data.properties?.hashed_token}&type=invite`);
    await expect(page.getByText(`For ${email} on Techfolio.pro`)).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Welcome to Techfolio.pro" })).toBeVisible();
    expect(requests).not.toContain("/auth/v1/verify");
    await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
  });

  await test.step("a password that is too short does not use the link up", async () => {
    await expect(page.getByLabel("Full Name"), "the name that the operator has entered").toHaveValue(
      "Ada Byron",
    );
    await choosePassword(page, "short");
    await expect(page.getByRole("alert")).toHaveText("Password should be at least 6 characters.");
    expect(requests).not.toContain("/auth/v1/verify");
  });

  await test.step("Set password signs the member in with the name and username they typed", async () => {
    await expect(page.getByLabel("New password")).toHaveAccessibleDescription("At least 6 characters");
    await page.getByLabel("Full Name").fill("Ada Lovelace");
    await page.getByLabel("Username", { exact: true }).fill("ada");
    await choosePassword(page, "chosen by the invited");
    await expect(page.getByLabel("Full Name")).toHaveValue("Ada Lovelace");
    await expect(page.getByLabel("Username", { exact: true })).toHaveValue("ada");
    await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
    await expect(page).toHaveURL("/profile");
  });

  await site.openSession({ id: "", email, password: "chosen by the invited" });
});

test("an invited member chooses a password and signs in with it even if the browser blocks storage", async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("Access is denied", "SecurityError");
      },
    });
  });
  const email = "invited@example.com";
  const { data } = await site.admin.auth.admin.generateLink({ type: "invite", email });
  await page.goto(`/profile?token_hash=${data.properties?.hashed_token}&type=invite`);
  await choosePassword(page, "chosen without a store");
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  await page.reload();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("chosen without a store");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
});

test("a member sets a new password through a recovery link that an operator created, on a page that names the account and the site", async ({
  page,
  site,
}) => {
  const { email } = await site.addMember();
  const { data } = await site.admin.auth.admin.generateLink({ type: "recovery", email });
  await page.goto(data.properties?.action_link ?? "");
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await expect(page.getByText(`For ${email} on Techfolio.pro`)).toBeVisible();
  await choosePassword(page, "through the operator's link");
  await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
});

const question = (page: Page) => page.getByRole("alertdialog", { name: "Switch Accounts?" });

test("a recovery link for another account asks a signed-in member before switching accounts: declining keeps both the session and the link, and accepting opens the other account", async ({
  page,
  site,
  signIn,
}) => {
  const first = await site.addMember({ full_name: "First" });
  const second = await site.addMember({ full_name: "Second" });
  await signIn(first);
  const link = await createRecoveryLink(site, second);
  await page.goto(link);
  await expect(question(page)).toContainText(first.email);
  await expect(question(page)).toContainText(second.email);
  await expect(page.getByLabel("Full Name")).toHaveValue("First");

  await question(page).getByRole("button", { name: "Stay Signed In" }).click();
  await expect(question(page)).toHaveCount(0);
  await expect(page).toHaveURL("/profile");
  await page.reload();
  await expect(page.getByLabel("Full Name")).toHaveValue("First");
  // Declining must not use up the link, so opening it again asks the same question.
  await page.goto(link);
  await expect(question(page)).toContainText(second.email);
  await question(page).getByRole("button", { name: "Switch Accounts" }).click();
  await choosePassword(page, "the second one's new");
  await expect(page.getByLabel("Full Name")).toHaveValue("Second");
});

test("a response to Set password that arrives after sign-out does not sign the member in again", async ({
  page,
  site,
}) => {
  const member = await site.addMember();
  await page.goto(await createRecoveryLink(site, member));
  const { promise: stored, resolve: hasStored } = Promise.withResolvers<void>();
  const { promise: signedOut, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/auth/v1/user", async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    const response = await route.fetch();
    hasStored();
    await signedOut;
    await route.fulfill({ response });
  });
  const responded = page.waitForResponse(
    (response) => response.url().endsWith("/auth/v1/user") && response.request().method() === "PUT",
  );
  await choosePassword(page, "set and left");
  await stored;
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
  release();
  await responded;
  await page.goto("/profile");
  await expect(page.getByRole("heading", { name: "Sign in to your account" })).toBeVisible();
});

test.describe("recovery and invitation links that fail", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("a member who forgot their password sets a new one through the mailed link, which works only once", async ({
    page,
    site,
  }) => {
    const member = await site.addMember();
    const link = await requestLink(page, site, member);
    await page.goto(link);
    await choosePassword(page, "a new and better one");
    await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
    await expect(page).toHaveURL("/profile");

    await page.getByRole("button", { name: "Sign Out" }).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
    await page.goto(link);
    await expect(page.getByRole("alert")).toHaveText(INVALID_LINK);
    await expect(page.getByRole("heading", { name: "Sign in to your account" })).toBeVisible();
    await expect(page).toHaveURL("/profile");
    await page.getByLabel("Email address").fill(member.email);
    await page.getByLabel("Password").fill("a new and better one");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  });

  test("an invalid link leads to the sign-in form on /profile, which shows the error, or keeps a member's session, and a recovery link for the member's own account opens the password form without a question", async ({
    page,
    site,
    signIn,
  }) => {
    await test.step("a link with a made-up token or with session tokens in its fragment leads a visitor to the sign-in form", async () => {
      for (const path of ["/profile", "/articles"]) {
        await page.goto(`${path}?token_hash=made-up&type=invite`);
        await expect(page.getByRole("alert")).toHaveText(INVALID_LINK);
        await expect(page).toHaveURL("/profile");
      }
      // Only Supabase projects send such links.
      const { access_token, refresh_token } = await site.openSession(await site.addMember());
      const tokens = new URLSearchParams({ access_token, refresh_token, type: "recovery" });
      await page.goto("/");
      await page.goto(`/profile#${tokens}`);
      await expect(page.getByRole("alert")).toHaveText(INVALID_LINK);
      expect(new URL(page.url()).hash, "no token stays in the URL").toBe("");
    });

    await test.step("an invalid link keeps a member's session, and a link for their own account opens the password form", async () => {
      const member = await site.addMember({ full_name: "Ada Marlowe" });
      await signIn(member);
      await page.goto("/profile?token_hash=made-up&type=recovery");
      const dialog = page.getByRole("alertdialog", { name: "The Link Does Not Work" });
      await expect(dialog).toContainText(INVALID_LINK);
      await dialog.getByRole("button", { name: "Close" }).click();
      await expect(dialog).toHaveCount(0);
      await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
      await expect(page).toHaveURL("/profile");

      await page.goto(await createRecoveryLink(site, member));
      await choosePassword(page, "chosen while signed in");
      await expect(page.getByLabel("Full Name")).toHaveValue("Ada Marlowe");
    });
  });

  test("a browser can't open a recovery link that another browser requested, whether it requested its own or not, and the link still works in the first browser", async ({
    page,
    site,
    browser,
  }) => {
    const link = await requestLink(page, site, await site.addMember());
    const elsewhere = await browser.newContext();
    const other = await elsewhere.newPage();
    await other.goto(link);
    await expect(other.getByRole("alert")).toHaveText(WRONG_BROWSER);
    const own = await requestLink(other, site, await site.addMember());
    await other.goto(link);
    await expect(other.getByRole("alert")).toHaveText(WRONG_BROWSER);
    await other.goto(own);
    await choosePassword(other, "through the link of its own");
    await expect(other.getByRole("heading", { name: "Profile Information" })).toBeVisible();
    await elsewhere.close();
    await page.goto(link);
    await choosePassword(page, "chosen where it was asked for");
    await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  });

  test("the link in a newer recovery email works even after the older link was opened", async ({
    page,
    site,
  }) => {
    const member = await site.addMember();
    const older = await requestLink(page, site, member);
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await expect(page.getByRole("status").filter({ hasText: CONFIRMATION })).toBeVisible();
    await expect.poll(() => mailedLinks(site, member.email)).toHaveLength(2);
    await page.goto(older);
    await expect(page.getByRole("alert")).toHaveText(WRONG_BROWSER);
    await page.goto(mailedLinks(site, member.email)[1] ?? "");
    await choosePassword(page, "through the newer link");
    await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  });

  test("an invited member whose link points to /articles sees the password form on /profile until they choose a password", async ({
    page,
    context,
    site,
  }) => {
    const email = "invited@example.com";
    const { data } = await site.admin.auth.admin.generateLink({ type: "invite", email });
    await page.goto(`/articles?token_hash=${data.properties?.hashed_token}&type=invite`);
    await expect(page).toHaveURL("/profile");
    // A Supabase project can have stricter rules than the form.
    const msg = "Password is known to be weak.";
    await page.route("**/auth/v1/user", (route) =>
      route.request().method() === "PUT"
        ? route.fulfill({ status: 422, json: { error_code: "weak_password", msg } })
        : route.continue(),
    );
    await choosePassword(page, "password");
    await expect(page.getByRole("alert")).toHaveText(msg);
    await page.close();
    const later = await context.newPage();
    await later.goto("/articles");
    await later.goto("/profile");
    await choosePassword(later, "chosen another day");
    await expect(later.getByRole("heading", { name: "Profile Information" })).toBeVisible();
    await later.reload();
    await expect(later.getByRole("heading", { name: "Profile Information" })).toBeVisible();
  });
});
