import type { Page } from "@playwright/test";
import {
  ARTICLES,
  addItem,
  FAILED_REQUESTS,
  field,
  fillIn,
  openForm,
  reverseResponses,
  storedTitles,
  valuesOf,
} from "../../support/forms.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { expectTitles, hydrated } from "../../support/visiting.ts";

// retries.spec.ts has the same journeys with failing requests.

const notice = (page: Page) => page.getByRole("status").filter({ hasText: /^Deleted "/ });

async function addSkills(site: Site, memberId: string, names: string[]) {
  for (const name of names) {
    await site.add("skills", {
      profile_id: memberId,
      category: "sql",
      name,
      proficiency: 4,
      years_experience: 2,
    });
  }
}

async function storedSkills(site: Site) {
  const { data } = await site.admin.from("skills").select("name").order("name").throwOnError();
  return data.map(({ name }) => name);
}

test("with slow responses in the wrong order, the last of two presses on Edit decides, and saves, deletions and Undo change what they name", async ({
  page,
  site,
  member,
}) => {
  for (const title of ["One", "Two", "Three", "Four"]) await addItem(site, ARTICLES, member.id, title);
  await openForm(page, ARTICLES);
  await hydrated(page);
  const { groups, settle } = await reverseResponses(page);

  await test.step("two presses on Edit", async () => {
    await page.getByRole("button", { name: "Edit One" }).click();
    await page.getByRole("button", { name: "Edit Two" }).click();
    await expect(field(page, "Title")).toHaveValue("Two");
    await settle();
    expect((await valuesOf(page, ARTICLES))["Title"]).toBe("Two");
  });
  await test.step("Edit of another item while an update is pending", async () => {
    await field(page, "Title").fill("Two, revised");
    // A second press on Edit keeps what was typed since the first.
    await page.getByRole("button", { name: "Edit Two" }).click();
    await expect(field(page, "Title")).toHaveValue("Two, revised");
    await page.getByRole("button", { name: ARTICLES.updateButton }).click();
    await page.getByRole("button", { name: "Edit Three" }).click();
    await expect(field(page, "Title")).toHaveValue("Three");
    expect(await storedTitles(site, ARTICLES)).toContain("Two, revised");
    await page.getByRole("button", { name: "Cancel" }).click();
  });
  await test.step("two deletions, and Undo of the second", async () => {
    await page.getByRole("button", { name: "Delete One" }).click();
    await page.getByRole("button", { name: "Delete Four" }).click();
    await expect(notice(page)).toContainText('Deleted "Four".');
    await expectTitles(page).toEqual(["Three", "Two, revised"]);
    await notice(page).getByRole("button", { name: "Undo" }).click();
    await expectTitles(page).toEqual(["Four", "Three", "Two, revised"]);
    await expect(notice(page)).toHaveCount(0);
    expect(await storedTitles(site, ARTICLES)).toEqual(["Four", "Three", "Two, revised"]);
  });
  await test.step("a search whose earlier letters are answered last", async () => {
    const search = page.getByRole("searchbox", { name: "Search", exact: true });
    await search.fill("T");
    const sent = page.waitForRequest(/\.data\?/);
    await sent;
    await search.fill("Four");
    await expectTitles(page).toEqual(["Four"]);
    await settle();
    await expectTitles(page).toEqual(["Four"]);
  });
  expect(groups.counts.some((count) => count > 1)).toBe(true);
});

test("with slow responses in the wrong order, each deleted skill has its notice, and a saved profile and a typed skill stay", async ({
  page,
  site,
  member,
}) => {
  await addSkills(site, member.id, ["Joins", "Views", "Window functions"]);
  await reverseResponses(page);
  await page.goto("/profile");
  await page.getByLabel("Company").fill("Northwind");
  const alert = page.waitForEvent("dialog");
  await page.getByRole("button", { name: "Save Profile" }).click();
  await (await alert).accept();
  await page.getByRole("button", { name: "Delete Joins" }).click();
  await page.getByRole("button", { name: "Delete Views" }).click();
  await page.getByLabel("Skill Name").fill("Indexes");
  await expect(notice(page)).toContainText('Deleted "Views".');
  await expect(page.getByRole("button", { name: /^Delete (Joins|Views)/ })).toHaveCount(0);
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Edit Views" })).toBeVisible();
  await expect(page.getByLabel("Skill Name")).toHaveValue("Indexes");
  await expect(page.getByLabel("Company")).toHaveValue("Northwind");
  await page.getByRole("button", { name: "Add Skill" }).click();
  await expect(page.getByRole("button", { name: "Edit Indexes" })).toBeVisible();
  expect(await storedSkills(site)).toEqual(["Indexes", "Views", "Window functions"]);
});

test.describe("pressed twice and left at once", () => {
  // The browser cancels the reads of a page that is left.
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("each action of a member happens once and completely, and every page works afterwards", async ({
    page,
    site,
    member,
  }) => {
    await addItem(site, ARTICLES, member.id, "Old");
    await addItem(site, ARTICLES, member.id, "Unwanted");
    await addSkills(site, member.id, ["Joins", "Views"]);
    page.on("dialog", (dialog) => void dialog.accept());
    const { settle } = await reverseResponses(page);

    /** Presses a button twice, and then the link to the home page. Leaves also if the page asks first. */
    async function pressTwiceAndLeave(name: string) {
      await page.getByRole("button", { name, exact: true }).dblclick();
      await page.getByRole("banner").getByRole("link", { name: "Techfolio.pro" }).click();
      const leave = page.getByRole("button", { name: "Leave" });
      const home = page.getByRole("heading", { name: "Our Tech Expertise" });
      // A save that succeeds closes the dialog.
      await expect(async () => {
        if (await leave.isVisible()) await leave.click({ timeout: 1_000 });
        await expect(home).toBeVisible({ timeout: 1_000 });
      }).toPass({ timeout: 20_000 });
    }
    // A write may follow a read, and then ends after the home page has been shown. If an action happened twice, one of
    // the later comparisons fails.
    const expectStored = (...titles: string[]) =>
      expect.poll(() => storedTitles(site, ARTICLES)).toEqual(titles);
    const expectSkills = (...names: string[]) => expect.poll(() => storedSkills(site)).toEqual(names);

    await openForm(page, ARTICLES);
    await fillIn(page, ARTICLES, "New");
    await pressTwiceAndLeave(ARTICLES.createButton);
    await expectStored("New", "Old", "Unwanted");

    await openForm(page, ARTICLES);
    await page.getByRole("button", { name: "Edit Old" }).click();
    await expect(field(page, "Title")).toHaveValue("Old");
    await field(page, "Title").fill("Old, revised");
    await pressTwiceAndLeave(ARTICLES.updateButton);
    await expectStored("New", "Old, revised", "Unwanted");

    await openForm(page, ARTICLES);
    await pressTwiceAndLeave("Delete Unwanted");
    await expectStored("New", "Old, revised");

    await page.goto("/profile");
    await page.getByLabel("Company").fill("Northwind");
    await pressTwiceAndLeave("Save Profile");
    const company = async () => {
      const { data } = await site.admin.from("profiles").select("company").eq("id", member.id).single();
      return data?.company;
    };
    await expect.poll(company).toBe("Northwind");
    await page.goto("/profile");
    await expect(page.getByLabel("Company")).toHaveValue("Northwind");
    await page.getByLabel("Skill Name").fill("Indexes");
    await pressTwiceAndLeave("Add Skill");
    await expectSkills("Indexes", "Joins", "Views");
    await page.goto("/profile");
    await pressTwiceAndLeave("Delete Joins");
    await expectSkills("Indexes", "Views");
    await settle();
    expect(await storedSkills(site)).toEqual(["Indexes", "Views"]);
    expect(await storedTitles(site, ARTICLES)).toEqual(["New", "Old, revised"]);
  });
});
