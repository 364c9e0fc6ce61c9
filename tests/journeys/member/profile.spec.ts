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

const PROFILE = {
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

/** The form's values for `PROFILE`, by label. */
const FORM_VALUES = {
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

async function expectFormValues(page: Page, values: Record<string, string>): Promise<void> {
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
  // The alert opens before `click` resolves and blocks the page, so a listener has to accept it.
  const alert = new Promise<string>((resolve) => {
    page.once("dialog", (dialog) => void dialog.accept().then(() => resolve(dialog.message())));
  });
  await page.getByRole("button", { name: "Save Profile" }).click();
  return alert;
}

test("the profile form shows the stored profile, saves every field under the member's own id, also if all are empty, and removes spaces around pasted URLs", async ({
  page,
  site,
  member,
}) => {
  await page.goto("/profile");
  await expectFormValues(page, { "Full Name": "", "Years of Experience": "" });
  await expect(profileForm(page).getByLabel("LinkedIn URL")).toHaveAttribute("type", "url");

  const writes = recordWrites(page, "profiles");
  for (const [label, value] of Object.entries(FORM_VALUES)) {
    await profileForm(page).getByLabel(label, { exact: true }).fill(value);
  }
  await profileForm(page).getByLabel("Featured Skills (comma-separated)").fill(" Python ,dbt,  ,");
  await profileForm(page).getByLabel("Featured Professional").check();
  expect(await save(page)).toBe("Profile updated successfully!");

  // The payload of call 11 in specification §7: id, all profile fields and updated_at.
  expect(writes).toEqual([
    { method: "POST", body: { ...PROFILE, id: member.id, updated_at: expect.stringMatching(/^\d{4}-.*Z$/) } },
  ]);
  expect(await storedProfile(site, member)).toMatchObject(PROFILE);
  await page.reload();
  await expectFormValues(page, FORM_VALUES);
  await expect(profileForm(page).getByLabel("Featured Professional")).toBeChecked();
  expect(await (await page.request.get("/")).text()).toContain("Ada Marlowe");

  await test.step("every field can be emptied", async () => {
    for (const label of Object.keys(FORM_VALUES))
      await profileForm(page).getByLabel(label, { exact: true }).fill("");
    expect(await save(page)).toBe("Profile updated successfully!");
    expect(await storedProfile(site, member)).toMatchObject({
      username: "",
      full_name: "",
      years_experience: null,
      featured_skills: [],
    });
  });

  await test.step("spaces around a pasted URL are removed", async () => {
    // The form shows the portrait.
    await page.route("https://example.test/**", (route) => route.fulfill({ status: 204 }));
    for (const label of ["Avatar URL", "LinkedIn URL"]) {
      await profileForm(page).getByLabel(label).focus();
      await page.keyboard.insertText(" https://example.test/ada ");
    }
    expect(await save(page)).toBe("Profile updated successfully!");
    const address = "https://example.test/ada";
    expect(await storedProfile(site, member)).toMatchObject({ avatar_url: address, linkedin_url: address });
  });
});

test("a first read of the profile that arrives after a save does not overwrite what was saved", async ({
  page,
  site,
  member,
}) => {
  const released = Promise.withResolvers<void>();
  let isFirst = true;
  const arrived = Promise.withResolvers<void>();
  await page.route(/\/rest\/v1\/profiles\?select/, async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    const response = await route.fetch();
    await released.promise;
    await route.fulfill({ response }).catch(() => undefined);
    arrived.resolve();
  });
  await page.goto("/profile");
  await profileForm(page).getByLabel("Company").fill("Northwind");
  expect(await save(page)).toBe("Profile updated successfully!");
  released.resolve();
  await arrived.promise;
  await page.waitForLoadState("networkidle");
  await expect(profileForm(page).getByLabel("Company")).toHaveValue("Northwind");
  expect(await storedProfile(site, member)).toMatchObject({ company: "Northwind" });
});

test("saving the profile does not overwrite fields that another tab has saved in the meantime", async ({
  page,
  context,
  site,
  signIn,
}) => {
  const member = await site.addMember(PROFILE);
  await signIn(member);
  await page.goto("/profile");
  await expectFormValues(page, FORM_VALUES);
  const other = await context.newPage();
  await other.goto("/profile");
  await expectFormValues(other, FORM_VALUES);
  await profileForm(other).getByLabel("Bio").fill("Newer");
  await save(other);
  await profileForm(page).getByLabel("Company").fill("Elsewhere");
  await save(page);
  expect(await storedProfile(site, member)).toMatchObject({ ...PROFILE, bio: "Newer", company: "Elsewhere" });
  await expectFormValues(page, { ...FORM_VALUES, Bio: "Newer", Company: "Elsewhere" });
});

test.describe("the profile form when requests fail", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("saving after a failed read keeps the other fields, and the profile form rejects an invalid LinkedIn URL, is sent once after several clicks, with whole years, and keeps the input without a message if a write fails", async ({
    page,
    site,
    signIn,
  }) => {
    await test.step("saving a field after the profile failed to load does not erase the other fields", async () => {
      const member = await site.addMember(PROFILE);
      await signIn(member);
      await page.route("**/rest/v1/profiles*", (route) => route.fulfill({ status: 500, body: "" }));
      const read = page.waitForResponse((response) => response.url().includes("/rest/v1/profiles"));
      await page.goto("/profile");
      await read;
      await expectFormValues(page, { "Full Name": "", Company: "" });
      await expect(page.getByRole("alert")).toHaveCount(0);
      await page.unroute("**/rest/v1/profiles*");

      await profileForm(page).getByLabel("Company").fill("Elsewhere");
      expect(await save(page)).toBe("Profile updated successfully!");
      expect(await storedProfile(site, member)).toMatchObject({ ...PROFILE, company: "Elsewhere" });
      await expectFormValues(page, { ...FORM_VALUES, Company: "Elsewhere" });
    });

    await test.step("the form is sent only if it is valid, only once, and a write that fails keeps the input", async () => {
      const member = await site.addMember(PROFILE);
      await signIn(member);
      await page.goto("/profile");
      await expectFormValues(page, FORM_VALUES);
      const writes = recordWrites(page, "profiles");
      const button = page.getByRole("button", { name: "Save Profile" });

      await test.step("the browser rejects the LinkedIn URL", async () => {
        await profileForm(page).getByLabel("LinkedIn URL").fill("linkedin");
        await button.click();
        await expect(profileForm(page).getByLabel("LinkedIn URL")).toBeFocused();
        expect(writes).toEqual([]);
        await profileForm(page).getByLabel("LinkedIn URL").fill(PROFILE.linkedin_url);
      });

      await test.step("several clicks send one write", async () => {
        await profileForm(page).getByLabel("Years of Experience").fill("12.7");
        const held = await holdWrites(page, "**/rest/v1/profiles*");
        await button.dblclick();
        await held.arrived;
        await expect(button).toBeDisabled();
        await expect(profileForm(page).getByText("Saving…")).toBeVisible();
        await button.click({ force: true });
        const alert = page.waitForEvent("dialog");
        held.release();
        await (await alert).accept();
        await expect(button).toBeEnabled();
        expect(writes).toHaveLength(1);
        expect((await storedProfile(site, member)).years_experience).toBe(12);
        await expectFormValues(page, { "Years of Experience": "12" });
      });
      await page.unroute("**/rest/v1/profiles*");

      page.on("dialog", (dialog) => expect(dialog.message(), "no alert opens").toBe("none"));
      await profileForm(page).getByLabel("Company").fill("Elsewhere");
      for (const [failure, fail] of Object.entries(WRITE_FAILURES)) {
        await test.step(failure, async () => {
          await failWrites(page, "**/rest/v1/profiles*", fail);
          const finished = waitForWrite(page, "POST");
          await button.click();
          await finished;
          await expect(button).toBeEnabled();
          await expect(button, "the button keeps the focus").toBeFocused();
          await expectFormValues(page, { ...FORM_VALUES, "Years of Experience": "12", Company: "Elsewhere" });
          await expect(page.getByRole("alert")).toHaveCount(0);
          expect(await storedProfile(site, member)).toMatchObject({ ...PROFILE, years_experience: 12 });
          await page.unroute("**/rest/v1/profiles*");
        });
      }
    });
  });
});

test.describe("the profile editor when its code can't be loaded", () => {
  test.use({ expectedProblems: [/Failed to load resource|dynamically imported module/] });

  test("if the profile editor's code can't be loaded, the rest of the page stays usable and Try Again loads the editor", async ({
    page,
    site,
    signIn,
  }) => {
    await signIn(await site.addMember(PROFILE));
    await page.route(/\/assets\/profile-editor-.*\.js$/, (route) => route.abort());
    await page.goto("/profile");
    await expect(page.getByText("This part of the page could not be loaded.")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Profile");
    await test.step("the page links to the member's public page and shows that page's URL", async () => {
      const link = page.getByRole("link", { name: "Your public page" });
      await expect(link).toHaveAttribute("href", "/profile/ada");
      await expect(
        page.getByRole("main").getByText(`${site.url}/profile/ada`, { exact: true }),
      ).toBeVisible();
      expect((await page.request.get("/profile/ada")).status()).toBe(200);
    });
    await page.unroute(/\/assets\/profile-editor-.*\.js$/);
    await page.getByRole("button", { name: "Try Again" }).click();
    await expectFormValues(page, FORM_VALUES);
  });
});

test("the fields of the profile form are in named groups and explain why a username can't be the address of the member's page, and the links above it lead to each section, also while it has unsaved input", async ({
  page,
  site,
  member: _signedIn,
}) => {
  await site.addMember({ username: "grace" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/profile");
  for (const [group, labels] of [
    ["About you", ["Username", "Full Name", "Bio"]],
    ["Portrait", ["Avatar URL"]],
    ["Work", ["Current Title", "Company", "Years of Experience", "LinkedIn URL"]],
    ["Home page", ["Featured Skills (comma-separated)", "Featured Professional"]],
  ] as const) {
    for (const label of labels)
      await expect(page.getByRole("group", { name: group }).getByLabel(label, { exact: true })).toBeVisible();
  }
  await profileForm(page).getByLabel("Full Name").fill("Ada");
  const links = page.getByRole("navigation", { name: "Sections of your profile" }).getByRole("link");
  const names = [
    "Profile Information",
    "Skills",
    "Your Items",
    "Your Content",
    "Recently Deleted",
    "Password",
  ];
  await expect(links).toHaveText(names);
  await expect(page.getByRole("main").getByRole("heading", { level: 2 })).toHaveText(names);
  for (const name of names) {
    await links.filter({ hasText: name }).click();
    await expect(page.getByRole("heading", { level: 2, name })).toBeInViewport();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await expect(profileForm(page).getByLabel("Full Name")).toHaveValue("Ada");

  await test.step("the form explains why a username can't be the address of the member's page", async () => {
    const username = profileForm(page).getByLabel("Username");
    await username.fill("zoë");
    await expect(username).toHaveAccessibleDescription(/can't be the address of your page/);
    await username.fill("grace");
    await expect(username).toHaveAccessibleDescription(/Another member has this username/);
    await username.fill("ad\u200ba");
    await expect(username).toHaveAccessibleDescription(/contains an invisible character/);
    await username.fill("nobody_else\u200b ");
    await expect(username).toHaveAccessibleDescription("");
    const address = profileForm(page).getByLabel("LinkedIn URL");
    await address.fill("\u202ahttps://linkedin.example/in/ada\u202c");
    await expect(address).toHaveValue("https://linkedin.example/in/ada");
  });
});
