import type { Page } from "@playwright/test";
import { violations } from "../../support/axe.ts";
import { connectAdmin } from "../../support/data-dir.ts";
import { deliverOneByOne, moves, watchMoves } from "../../support/moves.ts";
import { actOn, rowOf } from "../../support/operators-page.ts";
import { openPasskeySite, virtualAuthenticators } from "../../support/passkey-site.ts";
import { expect, testOwnSite } from "../../support/site.ts";
import { hydrated } from "../../support/visiting.ts";

const test = testOwnSite(openPasskeySite);

const section = (page: Page) => page.getByRole("region", { name: "Passkeys" });
const message = (page: Page) => section(page).locator("p[aria-live]");
const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" });
const signOut = (page: Page) => page.getByRole("button", { name: "Sign Out" }).click();

test.describe("a member with a passkey", () => {
  test.use({ expectedProblems: [/400 \(Bad Request\)/] });

  test("a member adds, renames and uses a passkey, cancels, and deletes it", async ({
    page,
    member,
    site,
  }) => {
    // The virtual authenticator would answer before this test can press the button.
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    const authenticators = await virtualAuthenticators(page);
    const phone = await authenticators.add();
    await page.goto("/profile");

    await test.step("must sign in again to add it if the last sign-in was long ago", async () => {
      const database = await connectAdmin(site.dataDir);
      await database.query("update auth.sessions set created_at = created_at - interval '16 minutes'");
      await database.end();
      const add = section(page).getByRole("button", { name: "Add Passkey" });
      const dialog = page.getByRole("alertdialog", { name: "Sign In Again" });
      const articles = page.getByRole("heading", { name: "Articles", level: 1 });
      await page.getByRole("navigation").getByRole("link", { name: "Articles" }).click();
      await expect(articles).toBeVisible();
      await page.getByRole("navigation").getByRole("link", { name: "Profile", exact: true }).click();
      await add.press("Enter");
      await expect(dialog.getByLabel("Password")).toBeFocused();
      await page.goBack();
      await expect(articles).toBeVisible();
      await page.goForward();
      await add.press("Enter");
      await expect(dialog.getByLabel("Password")).toBeFocused();
      await expect(signInButton(page)).toHaveCount(0);
      await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
      await expect(message(page).last()).toHaveText(
        "No passkey was added, because you did not sign in again.",
      );
      await expect(add).toBeFocused();
      await add.press("Enter");
      await dialog.getByLabel("Password").fill("a wrong password");
      await page.keyboard.press("Enter");
      await expect(dialog.getByText("Invalid login credentials")).toBeVisible();
      await dialog.getByLabel("Password").fill(member.password);
      await page.keyboard.press("Enter");
      await expect(dialog).toHaveCount(0);
    });

    await test.step("adds it", async () => {
      const item = section(page).getByRole("listitem");
      await expect(item).toContainText("Passkey");
      await expect(item).toContainText("never used");
      await expect(section(page).getByRole("button", { name: "Add Passkey" })).toBeFocused();
      await section(page).getByRole("button", { name: "Add Passkey" }).click();
      await expect(message(page).last()).toHaveText("This device already has a passkey for your account.");
    });

    await test.step("renames it by keyboard", async () => {
      await section(page).getByRole("button", { name: "Rename Passkey" }).press("Enter");
      const field = section(page).getByRole("textbox", { name: "Name" });
      await expect(field).toBeFocused();
      await field.fill("My phone & more");
      await field.press("Enter");
      await expect(section(page).getByRole("button", { name: "Rename My phone & more" })).toBeFocused();
      expect(await violations(page)).toEqual([]);
    });

    await test.step("signs in with it", async () => {
      await signOut(page);
      await page.goto("/profile");
      await hydrated(page);
      await expect(page.getByLabel("Email address")).toHaveAttribute("autocomplete", /webauthn/);
      await expect(signInButton(page)).toBeVisible();
      await signInButton(page).click();
      await expect(section(page).getByRole("listitem")).toContainText("last used");
      await expect(page.getByText(member.email)).toHaveCount(0);
    });

    await test.step("cancels", async () => {
      await signOut(page);
      await phone.setVerified(false);
      await page.goto("/profile");
      await page.getByLabel("Email address").fill(member.email);
      await signInButton(page).click();
      await expect(page.getByText(/^You were not signed in:/)).toBeVisible();
      await expect(page.getByLabel("Email address")).toHaveValue(member.email);
      await expect(signInButton(page)).toBeFocused();
      await expect(page.getByRole("button", { name: "Sign in", exact: true })).toBeEnabled();
      await phone.setVerified(true);
      await signInButton(page).click();
      await expect(section(page)).toBeVisible();
    });

    await test.step("deletes it", async () => {
      await section(page).getByRole("button", { name: "Delete My phone & more" }).click();
      await expect(section(page).getByRole("listitem")).toHaveCount(0);
      await expect(section(page).getByRole("heading", { name: "Passkeys" })).toBeFocused();
      await signOut(page);
      await page.goto("/profile");
      await signInButton(page).click();
      await expect(
        page.getByText("This site doesn't know that passkey. It may have been deleted."),
      ).toBeVisible();
    });
  });

  test("the browser's own list of passkeys in the email field signs a member in", async ({
    page,
    member,
  }) => {
    const authenticators = await virtualAuthenticators(page);
    await authenticators.add();
    await page.goto("/profile");
    await section(page).getByRole("button", { name: "Add Passkey" }).click();
    await expect(section(page).getByRole("listitem")).toHaveCount(1);
    await signOut(page);
    // The virtual authenticator chooses the passkey by itself as soon as the page offers the list.
    await page.goto("/profile");
    await expect(section(page).getByRole("listitem")).toContainText("last used");
    expect(member.id).toBeTruthy();
  });
});

test("devices that can't store passkeys or can't verify the member are refused with a sentence", async ({
  page,
  member,
}) => {
  const authenticators = await virtualAuthenticators(page);
  await page.goto("/profile");
  const add = section(page).getByRole("button", { name: "Add Passkey" });
  const unsuitable = [
    { hasResidentKey: false, transport: "usb" },
    { hasUserVerification: false, isUserVerified: false, transport: "usb" },
    { isUserVerified: false },
  ] as const;
  for (const options of unsuitable) {
    const authenticator = await authenticators.add(options);
    await add.click();
    await expect(message(page)).toHaveText(/^(This device can't be used|No passkey was added)/);
    await expect(section(page).getByRole("listitem")).toHaveCount(0);
    await authenticator.remove();
  }
  await authenticators.add();
  await authenticators.add({ transport: "usb" });
  await add.click();
  await expect(section(page).getByRole("listitem")).toHaveCount(1);
  expect(member.id).toBeTruthy();
});

test("nothing on /profile moves when a part of it arrives", async ({ page, site, member }) => {
  const own = { author_id: member.id, content: "Text" };
  for (const title of ["First", "Second"]) await site.add("articles", { ...own, title });
  await site.add("skills", { profile_id: member.id, name: "Python" });
  const authenticators = await virtualAuthenticators(page);
  await authenticators.add();
  const add = section(page).getByRole("button", { name: "Add Passkey" });
  await page.goto("/profile");
  await add.click();
  await expect(section(page).getByRole("listitem")).toHaveCount(1);
  await page.getByRole("checkbox", { name: "Second" }).check();
  await page.getByRole("region", { name: "Your Items" }).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("button", { name: "Restore Second" })).toBeVisible();

  await watchMoves(page);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    await deliverOneByOne(page, "/profile", /\/(rest|auth|storage)\/v1\//, "newest", add);
    await expect(page.getByRole("button", { name: "Restore Second" })).toBeVisible();
    expect(await moves(page), `at ${width} pixels`).toEqual([]);
  }
});

test.describe("on the operators' page", () => {
  test.use({ expectedProblems: [/403 \(Forbidden\)/] });

  test("an operator is asked for a passkey, and after an hour for the passkey again", async ({
    page,
    site,
    member,
  }) => {
    await site.admin.auth.admin.updateUserById(member.id, { app_metadata: { role: "operator" } });
    await virtualAuthenticators(page).then((authenticators) => authenticators.add());
    await page.goto("/admin");
    await expect(page.getByRole("heading", { name: "Sign in with a passkey" })).toBeVisible();
    await page.getByRole("link", { name: "add one on your profile" }).click();
    await section(page).getByRole("button", { name: "Add Passkey" }).click();
    await expect(section(page).getByRole("listitem")).toHaveCount(1);
    await page.goto("/admin");
    await signInButton(page).click();
    await expect(page.getByRole("heading", { name: "Operators" })).toBeFocused();

    const database = await connectAdmin(site.dataDir);
    await database.query("update auth.sessions set created_at = created_at - interval '2 hours'");
    await database.end();
    const row = rowOf(page, "Members", member.email);
    await actOn(row, "Feature");
    const dialog = page.getByRole("alertdialog", { name: "Sign In Again" });
    await expect(dialog.getByLabel("Password")).toHaveCount(0);
    await signInButton(page).click();
    await expect(row.getByText("featured", { exact: true })).toBeVisible();
  });
});
