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
import { clickAgain } from "../../support/visiting.ts";

const skills = (page: Page) => page.getByRole("region", { name: "Skills" });
const addForm = (page: Page) =>
  skills(page)
    .locator("form")
    .filter({ has: page.getByRole("button", { name: "Add Skill" }) });
const skillItem = (page: Page, name: string) => skills(page).getByRole("listitem").filter({ hasText: name });

async function openProfileWithSkills(
  page: Page,
  site: Site,
  signIn: (member: Member) => Promise<void>,
): Promise<Member> {
  const member = await site.addMember();
  const own = { profile_id: member.id, proficiency: 4, years_experience: 2 };
  const rows = [
    { ...own, category: "sql", name: "PostgreSQL" },
    { ...own, category: "tools", name: "Terraform" },
    { ...own, category: "aws", name: "Lambda" },
    { ...own, category: "python", name: "pandas" },
  ];
  await site.admin.from("skills").insert(rows).throwOnError();
  await signIn(member);
  await page.goto("/profile");
  await expect(skills(page).getByRole("listitem")).toHaveCount(4);
  return member;
}

async function storedSkills(site: Site, { id }: Member) {
  const columns = "category,name,proficiency,years_experience";
  const { data } = await site.admin
    .from("skills")
    .select(columns)
    .eq("profile_id", id)
    .order("name")
    .throwOnError();
  return data;
}

test("the form for a new skill starts with Python, proficiency 3 and 1 year, and resets after a skill is added, and saving a skill keeps the order of the skills in its category", async ({
  page,
  site,
  member,
}) => {
  await page.goto("/profile");
  const form = addForm(page);
  const expectInitialValues = async () => {
    await expect(form.getByLabel("Category")).toHaveValue("python");
    await expect(form.getByLabel("Skill Name")).toHaveValue("");
    await expect(form.getByLabel("Proficiency (1-5)")).toHaveValue("3");
    await expect(form.getByLabel("Years of Experience")).toHaveValue("1");
  };
  await expectInitialValues();
  await expect(form.getByLabel("Category").locator("option")).toHaveText([
    "Python",
    "SQL",
    "AWS",
    "Tools & Others",
  ]);
  await expect(form.getByLabel("Proficiency (1-5)")).toHaveAttribute("min", "1");
  await expect(form.getByLabel("Proficiency (1-5)")).toHaveAttribute("max", "5");
  await expect(form.getByLabel("Years of Experience")).toHaveAttribute("min", "0");

  const writes = recordWrites(page, "skills");
  await test.step("the browser rejects a proficiency and years out of bounds", async () => {
    await form.getByLabel("Skill Name").fill("Git");
    for (const [label, value] of [
      ["Proficiency (1-5)", "0"],
      ["Proficiency (1-5)", "6"],
      ["Years of Experience", "-1"],
    ] as const) {
      const before = await form.getByLabel(label).inputValue();
      await form.getByLabel(label).fill(value);
      await form.getByRole("button", { name: "Add Skill" }).click();
      await expect(form.getByLabel(label)).toBeFocused();
      await form.getByLabel(label).fill(before);
    }
    expect(writes).toEqual([]);
  });
  await form.getByLabel("Category").selectOption("tools");
  await form.getByLabel("Skill Name").fill("Git");
  await form.getByLabel("Proficiency (1-5)").fill("5");
  await form.getByLabel("Years of Experience").fill("0");
  await form.getByRole("button", { name: "Add Skill" }).click();
  await expect(skillItem(page, "Git")).toContainText(/Tools & Others\s*5\/5\s*0 years/);
  await expectInitialValues();
  await expect(form.getByLabel("Skill Name")).toBeFocused();
  const stored = { category: "tools", name: "Git", proficiency: 5, years_experience: 0 };
  const body = { id: expect.any(String), profile_id: member.id, ...stored };
  expect(writes).toEqual([{ method: "POST", body }]);
  expect(await storedSkills(site, member)).toEqual([stored]);

  await test.step("saving a skill keeps the order of the skills in its category", async () => {
    await site.admin.from("skills").delete().eq("profile_id", member.id).throwOnError();
    for (const name of ["asyncio", "Django", "attrs"]) {
      await site.add("skills", {
        profile_id: member.id,
        category: "python",
        name,
        proficiency: 2,
        years_experience: 1,
      });
    }
    await page.goto("/profile");
    const names = () =>
      skills(page)
        .getByRole("button", { name: /^Edit / })
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    await expect.poll(names).toEqual(["Edit asyncio", "Edit Django", "Edit attrs"]);
    await page.getByRole("button", { name: "Edit asyncio" }).click();
    const list = page.getByRole("list", { name: "Your skills" });
    await list.getByLabel("Proficiency (1-5)").fill("5");
    const read = page.waitForResponse(/\/rest\/v1\/skills\?select/);
    await list.getByRole("button", { name: "Save" }).click();
    await (await read).finished();
    await expect(skillItem(page, "asyncio")).toContainText("5/5");
    expect(await names()).toEqual(["Edit asyncio", "Edit Django", "Edit attrs"]);
  });
});

test("skills are sorted by category, and skills are edited in their rows, where Save stores and Cancel discards the change, and saving a skill that was deleted elsewhere keeps the input", async ({
  page,
  site,
  signIn,
}) => {
  const member = await openProfileWithSkills(page, site, signIn);
  await expect(skills(page).getByRole("listitem")).toHaveText([
    /Lambda\s*AWS\s*4\/5\s*2 years/,
    /pandas\s*Python\s*4\/5\s*2 years/,
    /PostgreSQL\s*SQL\s*4\/5\s*2 years/,
    /Terraform\s*Tools & Others\s*4\/5\s*2 years/,
  ]);
  const item = skillItem(page, "pandas");
  await item.getByRole("button", { name: "Edit pandas" }).click();
  const row = skills(page)
    .getByRole("listitem")
    .filter({ has: page.getByRole("button", { name: "Save" }) });
  await expect(row.getByLabel("Skill Name")).toBeFocused();
  await expect(row.getByLabel("Skill Name")).toHaveValue("pandas");
  await row.getByLabel("Skill Name").fill("never stored");
  await row.getByRole("button", { name: "Cancel" }).click();
  await expect(item).toContainText("4/5");
  await expect(item.getByRole("button", { name: "Edit pandas" })).toBeFocused();

  await item.getByRole("button", { name: "Edit pandas" }).click();
  await expect(row.getByLabel("Skill Name")).toHaveValue("pandas");
  await row.getByLabel("Category").selectOption("sql");
  await row.getByLabel("Skill Name").fill("polars");
  await row.getByLabel("Proficiency (1-5)").fill("2");
  await row.getByLabel("Years of Experience").fill("1");
  await row.getByRole("button", { name: "Save" }).click();
  await expect(skillItem(page, "polars")).toContainText(/SQL\s*2\/5\s*1 year$/);
  await expect(row).toHaveCount(0);
  expect(await storedSkills(site, member)).toContainEqual({
    category: "sql",
    name: "polars",
    proficiency: 2,
    years_experience: 1,
  });

  await test.step("two skills can be edited at the same time", async () => {
    await page.getByRole("button", { name: "Edit Lambda" }).click();
    await page.getByRole("button", { name: "Edit Terraform" }).click();
    const names = skills(page).getByRole("listitem").getByLabel("Skill Name");
    await names.nth(0).fill("Fargate");
    await names.nth(1).fill("OpenTofu");
    await skills(page).getByRole("button", { name: "Save" }).first().click();
    await expect(skillItem(page, "Fargate")).toBeVisible();
    await expect(names, "the other row is unchanged").toHaveValue("OpenTofu");
    await skills(page).getByRole("button", { name: "Save" }).click();
    await expect(skillItem(page, "OpenTofu")).toBeVisible();
  });

  await test.step("saving a skill that was deleted elsewhere keeps the input and is not announced as saved", async () => {
    await page.getByRole("button", { name: "Edit PostgreSQL" }).click();
    await row.getByLabel("Skill Name").fill("MariaDB");
    const stored = site.admin.from("skills").delete().eq("profile_id", member.id);
    await stored.eq("name", "PostgreSQL").throwOnError();
    const finished = waitForWrite(page, "PATCH");
    await row.getByRole("button", { name: "Save" }).click();
    await finished;
    await expect(row.getByRole("button", { name: "Save" })).toBeFocused();
    await expect(row.getByLabel("Skill Name")).toHaveValue("MariaDB");
    await expect(page.locator("[aria-live=polite]")).not.toContainText("Saved MariaDB");
  });
});

test("Delete deletes one skill without confirmation, the focus moves to the notice before Undo, and Undo restores the skill", async ({
  page,
  site,
  signIn,
}) => {
  const member = await openProfileWithSkills(page, site, signIn);
  const read = async () => (await site.admin.from("skills").select("*").order("name").throwOnError()).data;
  const before = await read();
  await page.getByRole("button", { name: "Delete pandas" }).press("Enter");
  await expect(skillItem(page, "pandas")).toHaveCount(0);
  await expect(page.locator(":focus")).toContainText("Deleted");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
  expect((await storedSkills(site, member)).map(({ name }) => name)).toEqual([
    "Lambda",
    "PostgreSQL",
    "Terraform",
  ]);

  await test.step("Undo restores the skill", async () => {
    const notice = page.getByRole("status").filter({ hasText: 'Deleted "pandas".' });
    await expect(notice).toBeInViewport();
    await notice.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("button", { name: "Edit pandas" })).toBeFocused();
    expect(await read()).toEqual(before);
  });

  await test.step("a double-click deletes only one skill", async () => {
    await page.getByRole("button", { name: "Delete Lambda" }).click();
    await expect(skills(page).getByRole("listitem")).toHaveCount(3);
    await clickAgain(page);
    await page.getByRole("button", { name: "Delete Terraform" }).click();
    await expect(skillItem(page, "Terraform")).toHaveCount(0);
    await expect(skills(page).getByRole("listitem")).toHaveCount(2);
  });
});

test("slow saves and deletes of skills don't steal the focus from the profile field that the member is typing in", async ({
  page,
  site,
  signIn,
}) => {
  await openProfileWithSkills(page, site, signIn);
  const held = await holdWrites(page, "**/rest/v1/skills*");
  await page.getByRole("button", { name: "Edit pandas" }).click();
  await skills(page).getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Delete Lambda" }).click();
  await held.arrived;
  await expect(skills(page).getByText("Saving…")).toBeVisible();
  await page.getByLabel("Company").pressSequentially("North");
  held.release();
  await expect(skillItem(page, "Lambda")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Edit pandas" })).toBeVisible();
  await page.keyboard.type("wind");
  await expect(page.getByLabel("Company")).toHaveValue("Northwind");
});

test("a typed skill that was not added opens the unsaved-changes dialog before the member leaves", async ({
  page,
  site,
  signIn,
}) => {
  const member = await openProfileWithSkills(page, site, signIn);
  const leave = () => page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Unsaved Changes" });
  await addForm(page).getByLabel("Skill Name").fill("Indexes");
  await leave();
  await dialog.getByRole("button", { name: "Stay" }).click();
  await expect(addForm(page).getByLabel("Skill Name")).toHaveValue("Indexes");
  await addForm(page).getByRole("button", { name: "Add Skill" }).click();
  await expect(skillItem(page, "Indexes")).toBeVisible();
  await leave();
  await expect(page).toHaveURL("/articles");
  await expect(dialog).toHaveCount(0);
  expect(await storedSkills(site, member)).toContainEqual(expect.objectContaining({ name: "Indexes" }));
});

test.describe("the skills section when requests fail", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("a member can add a skill even if the skills can't be loaded, and a change to the skills that fails keeps the member's input and shows no message", async ({
    page,
    site,
    signIn,
  }) => {
    await test.step("adding a skill if the skills can't be loaded", async () => {
      const member = await site.addMember();
      await signIn(member);
      await page.route("**/rest/v1/skills*", (route) =>
        route.request().method() === "GET" ? route.fulfill({ status: 500, body: "" }) : route.continue(),
      );
      await page.goto("/profile");
      await addForm(page).getByLabel("Skill Name").fill("Added unseen");
      await addForm(page).getByRole("button", { name: "Add Skill" }).click();
      await expect(addForm(page).getByLabel("Skill Name")).toHaveValue("");
      await expect(page.getByRole("alert")).toHaveCount(0);
      expect((await storedSkills(site, member)).map(({ name }) => name)).toEqual(["Added unseen"]);
      await page.unroute("**/rest/v1/skills*");
    });

    await test.step("a change that fails", async () => {
      const member = await openProfileWithSkills(page, site, signIn);
      const before = await storedSkills(site, member);
      const add = addForm(page).getByRole("button", { name: "Add Skill" });
      await addForm(page).getByLabel("Skill Name").fill("Not added");
      await page.getByRole("button", { name: "Edit pandas" }).click();
      const row = skills(page)
        .getByRole("listitem")
        .filter({ has: page.getByRole("button", { name: "Save" }) });
      await row.getByLabel("Skill Name").fill("Not saved");
      for (const [failure, fail] of Object.entries(WRITE_FAILURES)) {
        await test.step(failure, async () => {
          await failWrites(page, "**/rest/v1/skills*", fail);
          let finished = waitForWrite(page, "POST");
          await add.click();
          await finished;
          await expect(add).toBeEnabled();
          await expect(addForm(page).getByLabel("Skill Name")).toHaveValue("Not added");

          finished = waitForWrite(page, "PATCH");
          await row.getByRole("button", { name: "Save" }).click();
          await finished;
          await expect(row.getByRole("button", { name: "Save" })).toBeEnabled();
          await expect(row.getByLabel("Skill Name")).toHaveValue("Not saved");

          finished = waitForWrite(page, "DELETE");
          await page.getByRole("button", { name: "Delete Terraform" }).click();
          await finished;
          await expect(page.getByRole("button", { name: "Delete Terraform" })).toBeEnabled();
          await expect(skills(page).getByRole("listitem")).toHaveCount(4);
          await expect(page.getByRole("alert")).toHaveCount(0);
          expect(await storedSkills(site, member)).toEqual(before);
          await page.unroute("**/rest/v1/skills*");
        });
      }
    });
  });
});

test.describe("Add Skill and a lost response", () => {
  test.use({ expectedProblems: [/Failed to load resource/] });

  test("Add Skill after a lost response adds the skill only once, and the next skill is a new one", async ({
    page,
    site,
    signIn,
  }) => {
    const member = await site.addMember();
    await signIn(member);
    await page.goto("/profile");
    const name = page.getByLabel("Skill Name");
    await name.fill("Rust");
    await page.route("**/rest/v1/skills*", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fetch();
      await route.abort();
    });
    const failed = page.waitForEvent("requestfailed");
    await page.getByRole("button", { name: "Add Skill" }).click();
    await failed;
    await expect(name).toBeEnabled();
    await expect(name).toHaveValue("Rust");
    await page.unroute("**/rest/v1/skills*");
    await page.getByRole("button", { name: "Add Skill" }).click();
    await expect(name).toHaveValue("");
    await name.fill("Zig");
    await page.getByRole("button", { name: "Add Skill" }).click();
    await expect(page.getByRole("button", { name: "Edit Zig" })).toBeVisible();
    expect((await storedSkills(site, member)).map((skill) => skill.name).toSorted()).toEqual(["Rust", "Zig"]);
  });
});
