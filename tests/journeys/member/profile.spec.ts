import type { Page } from "@playwright/test";
import {
  FAILED_REQUESTS,
  failWrites,
  holdWrites,
  recordWrites,
  WRITE_FAILURES,
  waitForWrite,
} from "../../support/forms.ts";
import type { Member } from "../../support/members.ts";
import { expect, type Site, test } from "../../support/site.ts";

const profileForm = (page: Page) => page.getByRole("region", { name: "Profile Information" });

const FULL = {
  username: "ada",
  full_name: "Ada Marlowe",
  bio: "Pipelines\nand people",
  avatar_url: "/favicon.svg",
  current_title: "Data Engineer",
  company: "Northwind",
  years_experience: 9,
  linkedin_url: "https://www.linkedin.com/in/ada",
  featured_skills: ["Python", "dbt"],
  featured: true,
};

/** The form's values for `FULL`, by label. */
const SHOWN = {
  Username: "ada",
  "Full Name": "Ada Marlowe",
  Bio: "Pipelines\nand people",
  "Avatar URL": "/favicon.svg",
  "Current Title": "Data Engineer",
  Company: "Northwind",
  "Years of Experience": "9",
  "LinkedIn URL": "https://www.linkedin.com/in/ada",
  "Featured Skills (comma-separated)": "Python, dbt",
};

async function expectShown(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    await expect(profileForm(page).getByLabel(label, { exact: true })).toHaveValue(value);
  }
}

async function storedProfile(site: Site, { id }: Member) {
  const { data } = await site.admin.from("profiles").select("*").eq("id", id).single().throwOnError();
  return data;
}

/** Saves the profile and returns the alert's text. */
async function save(page: Page): Promise<string> {
  // Accept it in a listener: the alert can open before `click` resolves, and it blocks the page.
  const alert = new Promise<string>((resolve) => {
    page.once("dialog", (dialog) => void dialog.accept().then(() => resolve(dialog.message())));
  });
  await page.getByRole("button", { name: "Save Profile" }).click();
  return alert;
}

test.describe("the profile form", () => {
  test("says next to the username if it can't be the address of the member's page", async ({
    page,
    site,
    member: _signedIn,
  }) => {
    await site.addMember({ username: "grace" });
    await page.goto("/profile");
    const username = profileForm(page).getByLabel("Username");
    await username.fill("zoë");
    await expect(username).toHaveAccessibleDescription(/can't be the address of your page/);
    await username.fill("grace");
    await expect(username).toHaveAccessibleDescription(/Another member has this username/);
    await username.fill("nobody_else");
    await expect(username).toHaveAccessibleDescription("");
  });

  test("shows the stored profile, and saves every field under the member's own id", async ({
    page,
    site,
    member,
  }) => {
    await page.goto("/profile");
    await expectShown(page, { "Full Name": "", "Years of Experience": "" });
    await expect(profileForm(page).getByLabel("LinkedIn URL")).toHaveAttribute("type", "url");

    const writes = recordWrites(page, "profiles");
    for (const [label, value] of Object.entries(SHOWN)) {
      await profileForm(page).getByLabel(label, { exact: true }).fill(value);
    }
    await profileForm(page).getByLabel("Featured Skills (comma-separated)").fill(" Python ,dbt,  ,");
    await profileForm(page).getByLabel("Featured Professional").check();
    expect(await save(page)).toBe("Profile updated successfully!");

    // Specification §7, call 11: id, all profile fields and updated_at.
    expect(writes).toEqual([
      { method: "POST", body: { ...FULL, id: member.id, updated_at: expect.stringMatching(/^\d{4}-.*Z$/) } },
    ]);
    expect(await storedProfile(site, member)).toMatchObject(FULL);
    await page.reload();
    await expectShown(page, SHOWN);
    await expect(profileForm(page).getByLabel("Featured Professional")).toBeChecked();
    await page.goto("/");
    await expect(
      page.getByRole("region", { name: "Featured Professionals" }).getByText("Ada Marlowe"),
    ).toBeVisible();
  });

  test("can be saved with every field empty, and empty years become null", async ({ page, site, signIn }) => {
    const member = await site.addMember(FULL);
    await signIn(member);
    await page.goto("/profile");
    await expectShown(page, SHOWN);
    for (const label of Object.keys(SHOWN))
      await profileForm(page).getByLabel(label, { exact: true }).fill("");
    expect(await save(page)).toBe("Profile updated successfully!");
    expect(await storedProfile(site, member)).toMatchObject({
      username: "",
      full_name: "",
      years_experience: null,
      featured_skills: [],
    });
  });

  test("truncates years of experience to an integer", async ({ page, site, signIn }) => {
    const member = await site.addMember(FULL);
    await signIn(member);
    await page.goto("/profile");
    await expectShown(page, SHOWN);
    await profileForm(page).getByLabel("Years of Experience").fill("12.7");
    await save(page);
    expect((await storedProfile(site, member)).years_experience).toBe(12);
    await expectShown(page, { "Years of Experience": "12" });
  });

  test("removes spaces around pasted URLs", async ({ page, site, signIn }) => {
    const member = await site.addMember();
    await signIn(member);
    await page.goto("/profile");
    for (const label of ["Avatar URL", "LinkedIn URL"]) {
      await profileForm(page).getByLabel(label).focus();
      await page.keyboard.insertText(" https://example.test/ada ");
    }
    expect(await save(page)).toBe("Profile updated successfully!");
    const address = "https://example.test/ada";
    expect(await storedProfile(site, member)).toMatchObject({ avatar_url: address, linkedin_url: address });
  });

  test("does not overwrite fields that another tab saved meanwhile", async ({
    page,
    context,
    site,
    signIn,
  }) => {
    const member = await site.addMember(FULL);
    await signIn(member);
    await page.goto("/profile");
    await expectShown(page, SHOWN);
    const other = await context.newPage();
    await other.goto("/profile");
    await expectShown(other, SHOWN);
    await profileForm(other).getByLabel("Bio").fill("Newer");
    await save(other);
    await profileForm(page).getByLabel("Company").fill("Elsewhere");
    await save(page);
    expect(await storedProfile(site, member)).toMatchObject({ ...FULL, bio: "Newer", company: "Elsewhere" });
    await expectShown(page, { ...SHOWN, Bio: "Newer", Company: "Elsewhere" });
  });

  test("is not sent when the browser rejects the LinkedIn URL", async ({ page, site, signIn }) => {
    await signIn(await site.addMember(FULL));
    await page.goto("/profile");
    await expectShown(page, SHOWN);
    const writes = recordWrites(page, "profiles");
    await profileForm(page).getByLabel("LinkedIn URL").fill("linkedin");
    await page.getByRole("button", { name: "Save Profile" }).click();
    await expect(profileForm(page).getByLabel("LinkedIn URL")).toBeFocused();
    expect(writes).toEqual([]);
  });

  test("is sent once, even if the member clicks Save repeatedly", async ({ page, site, signIn }) => {
    await signIn(await site.addMember(FULL));
    await page.goto("/profile");
    await expectShown(page, SHOWN);
    const writes = recordWrites(page, "profiles");
    const held = await holdWrites(page, "**/rest/v1/profiles*");
    const button = page.getByRole("button", { name: "Save Profile" });
    await button.dblclick();
    await held.arrived;
    await expect(button).toBeDisabled();
    await button.click({ force: true });
    const alert = page.waitForEvent("dialog");
    held.release();
    await (await alert).accept();
    await expect(button).toBeEnabled();
    expect(writes).toHaveLength(1);
  });

  test.describe("when a request fails, without a message", () => {
    test.use({ expectedProblems: FAILED_REQUESTS });

    for (const [how, fail] of Object.entries(WRITE_FAILURES)) {
      test(`a save that ${how} loses nothing`, async ({ page, site, signIn }) => {
        const member = await site.addMember(FULL);
        await signIn(member);
        await page.goto("/profile");
        await expectShown(page, SHOWN);
        page.on("dialog", (dialog) => expect(dialog.message(), "no message").toBe("none"));
        await failWrites(page, "**/rest/v1/profiles*", fail);
        await profileForm(page).getByLabel("Company").fill("Elsewhere");
        const button = page.getByRole("button", { name: "Save Profile" });
        const answered = waitForWrite(page, "POST");
        await button.click();
        await answered;
        await expect(button).toBeEnabled();
        await expect(button, "the focus is where it was").toBeFocused();
        await expectShown(page, { ...SHOWN, Company: "Elsewhere" });
        await expect(page.getByRole("alert")).toHaveCount(0);
        expect(await storedProfile(site, member)).toMatchObject(FULL);
      });
    }

    test("saving after the profile failed to load does not erase the other fields", async ({
      page,
      site,
      signIn,
    }) => {
      const member = await site.addMember(FULL);
      await signIn(member);
      await page.route("**/rest/v1/profiles*", (route) => route.fulfill({ status: 500, body: "" }));
      const read = page.waitForResponse((response) => response.url().includes("/rest/v1/profiles"));
      await page.goto("/profile");
      await read;
      await expectShown(page, { "Full Name": "", Company: "" });
      await expect(page.getByRole("alert")).toHaveCount(0);
      await page.unroute("**/rest/v1/profiles*");

      await profileForm(page).getByLabel("Company").fill("Elsewhere");
      expect(await save(page)).toBe("Profile updated successfully!");
      expect(await storedProfile(site, member)).toMatchObject({ ...FULL, company: "Elsewhere" });
      await expectShown(page, { ...SHOWN, Company: "Elsewhere" });
    });
  });
});

test.describe("a profile editor whose code can't be loaded", () => {
  test.use({ expectedProblems: [/Failed to load resource|dynamically imported module/] });

  test("leaves the rest of the page usable and offers Try Again", async ({ page, site, signIn }) => {
    await signIn(await site.addMember(FULL));
    await page.route(/\/assets\/profile-editor-.*\.js$/, (route) => route.abort());
    await page.goto("/profile");
    await expect(page.getByText("This part of the page could not be loaded.")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Profile");
    await expect(page.getByRole("link", { name: "Your public page" })).toBeVisible();
    await page.unroute(/\/assets\/profile-editor-.*\.js$/);
    await page.getByRole("button", { name: "Try Again" }).click();
    await expectShown(page, SHOWN);
  });
});
