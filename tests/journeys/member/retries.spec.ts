import type { Page } from "@playwright/test";
import { failEachRequestOnce, repeat } from "../../support/forms.ts";
import { addManyItems } from "../../support/many-items.ts";
import { signInByForm } from "../../support/members.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { hydrated, shownTitles } from "../../support/visiting.ts";

// forms.spec.ts has the same journeys for the forms of content, the profile and skills.

// Each attempt to redeem a link has its own client.
test.use({
  expectedProblems: [/Failed to (load resource|fetch)|ERR_FAILED|Multiple GoTrueClient instances/],
});

const SHORT = { timeout: 2_000 };

const cards = (page: Page) => page.getByRole("main").getByRole("article");

async function addPeople(site: Site): Promise<void> {
  for (let number = 0; number < 30; number++)
    await site.addMember({ username: `person-${number}`, full_name: `Person ${number}` });
}

const addItems = async (site: Site) => {
  const { id } = await site.addMember({ username: "ada", full_name: "Ada" });
  await addManyItems(site.admin, id, 60);
};

const LISTS: {
  path: string;
  add(site: Site): Promise<void>;
  selector: string;
  option: string;
  text: string;
  found: string;
}[] = [
  ...[
    { path: "/articles", text: "Article 59", found: "Article 59" },
    { path: "/useful-links", text: "Link 59", found: "Link 59" },
    { path: "/sample-code", text: "Sample 59", found: "Sample 59" },
  ].map((list) => ({ ...list, add: addItems, selector: "Sort", option: "Oldest First" })),
  {
    path: "/search?q=Link",
    add: addItems,
    selector: "Kind",
    option: "Useful Links",
    text: "Link 59",
    found: "Link 59",
  },
  {
    path: "/people",
    add: addPeople,
    selector: "Sort",
    option: "By Name",
    text: "Person 29",
    found: "Person 29",
  },
];

for (const { path, add, selector, option, text, found } of LISTS) {
  test(`${path}: if each request fails once, a reader who repeats each step adds cards, chooses an option and searches`, async ({
    page,
    site,
  }) => {
    await add(site);
    await page.goto(path);
    await hydrated(page);
    const failed = await failEachRequestOnce(page);
    const count = await cards(page).count();
    await repeat(async () => {
      await page.getByRole("main").getByRole("link", { name: "Show More" }).click(SHORT);
      await expect.poll(() => cards(page).count(), SHORT).toBeGreaterThan(count);
    });

    const select = page.getByRole("combobox", { name: selector });
    await select.selectOption(option);
    const field = page.getByRole("searchbox", { name: "Search", exact: true });
    await repeat(async () => {
      await field.press("Enter");
      await expect(page).toHaveURL(/sort=|kind=/, SHORT);
    });
    await field.fill(text);
    await repeat(async () => {
      await field.press("Enter");
      await expect.poll(() => shownTitles(page), SHORT).toEqual([found]);
    });
    expect([...failed].filter((name) => name.startsWith("GET")).length).toBeGreaterThan(1);
  });
}

test("if each request fails once, a visitor who repeats each step asks for a link, signs in and changes the password", async ({
  page,
  site,
}) => {
  const member = await site.addMember();
  await page.goto("/profile");
  await hydrated(page);
  const failed = await failEachRequestOnce(page);
  await page.getByLabel("Email address").fill(member.email);
  await repeat(async () => {
    await page.getByRole("link", { name: "Forgot your password?" }).click(SHORT);
    await expect(page.getByRole("status").filter({ hasText: "If this address has an account" })).toBeVisible(
      SHORT,
    );
  });
  await page.getByLabel("Password").fill(member.password);
  await repeat(async () => {
    const signIn = page.getByRole("button", { name: "Sign in" });
    if (await signIn.isVisible()) await signIn.click(SHORT);
    await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible(SHORT);
  });
  const section = page.getByRole("region", { name: "Password" });
  await section.getByLabel("Current Password").fill(member.password);
  await section.getByLabel("New Password").fill("correct horse battery");
  await repeat(async () => {
    await section.getByRole("button", { name: "Change Password" }).click(SHORT);
    await expect(section).toContainText("Your password was changed.", SHORT);
  });
  expect([...failed].filter((name) => name.includes("/auth/v1/")).map((name) => name.split(" ")[1])).toEqual(
    expect.arrayContaining(["/auth/v1/recover", "/auth/v1/token", "/auth/v1/user"]),
  );
  await page.unrouteAll();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
  await signInByForm(page, { ...member, password: "correct horse battery" });
});

test("if each request fails once, an invited person who repeats the step chooses a password", async ({
  page,
  site,
}) => {
  const email = "invited@example.com";
  const { data } = await site.admin.auth.admin.generateLink({ type: "invite", email });
  await page.goto(`/profile?token_hash=${data.properties?.hashed_token}&type=invite`);
  await expect(page.getByLabel("Username")).toBeVisible();
  await failEachRequestOnce(page);
  await page.getByLabel("Username").fill("invited");
  await page.getByLabel("New password").fill("correct horse battery");
  await repeat(async () => {
    const set = page.getByRole("button", { name: "Set password" });
    if (await set.isVisible()) await set.click(SHORT);
    await expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible(SHORT);
  });
  await expect(page.getByLabel("Username")).toHaveValue("invited");
});

test("if each request fails once, an operator who repeats each step searches, invites and suspends members", async ({
  page,
  site,
  signIn,
}) => {
  const operator = await site.addMember({ full_name: "Olga Operator" });
  await site.admin.auth.admin.updateUserById(operator.id, { app_metadata: { role: "operator" } });
  const member = await site.addMember({ full_name: "Ada Byron" });
  await signIn(operator);
  await page.goto("/admin");
  const members = page.getByRole("region", { name: "Members", exact: true });
  const rows = members.getByRole("list", { name: "Members" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  const failed = await failEachRequestOnce(page);
  const tryAgain = page.getByRole("button", { name: "Try Again" });

  await page.getByRole("searchbox", { name: "Search members" }).fill("ada byron");
  await repeat(async () => {
    if (await tryAgain.first().isVisible()) await tryAgain.first().click(SHORT);
    await expect(rows).toHaveCount(1, SHORT);
  });
  await page.getByLabel("Invite").fill("grace@example.com");
  await repeat(async () => {
    await page.getByRole("button", { name: "Send Invitations" }).click(SHORT);
    await expect(page.getByRole("list", { name: "Results" })).toContainText(
      "grace@example.com is invited",
      SHORT,
    );
  });
  const row = rows.filter({ hasText: member.email });
  await repeat(async () => {
    await row.getByRole("button", { name: "Suspend", exact: true }).click(SHORT);
    await page.getByRole("alertdialog").getByRole("button", { name: "Suspend" }).click(SHORT);
    await expect(members).toContainText(`${member.email} is suspended`, SHORT);
  });
  expect([...failed].filter((name) => name.includes("/admin/v1/")).length).toBeGreaterThan(2);
});
