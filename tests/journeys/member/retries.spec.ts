import type { Page } from "@playwright/test";
import { zipTexts } from "../../../app/portability/export/archive.ts";
import {
  ARTICLES,
  failEachRequestOnce,
  field,
  loseEachResponseOnce,
  openForm,
  repeatOn,
  SHORT,
  storedTitles,
} from "../../support/forms.ts";
import { addManyItems } from "../../support/many-items.ts";
import { actOn } from "../../support/operators-page.ts";
import { makePng } from "../../support/pictures.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { hydrated } from "../../support/visiting.ts";

// forms.spec.ts has the same journeys for the forms of content, the profile and skills.

// Each attempt to redeem a link has its own client.
test.use({
  expectedProblems: [/Failed to (load resource|fetch)|ERR_FAILED|Multiple GoTrueClient instances/],
});

const cards = (page: Page) => page.getByRole("main").getByRole("article");
const titles = (page: Page) => cards(page).getByRole("heading", { level: 2 });

const addPeople = (site: Site) =>
  site.addMembers(
    Array.from({ length: 30 }, (_, number) => ({
      username: `person-${number}`,
      full_name: `Person ${number}`,
    })),
  );

async function addLinks(site: Site) {
  const { id } = await site.addMember({ username: "ada", full_name: "Ada" });
  await addManyItems(site.admin, id, 60, ["useful_links"]);
}

// All kinds of content use the same list.
const LISTS = [
  { path: "/useful-links", selector: "Sort", option: "Oldest First", text: "Link 59" },
  { path: "/search?q=Link", selector: "Kind", option: "Useful Links", text: "Link 59" },
  { path: "/people", selector: "Sort", option: "By Name", text: "Person 29" },
];

test("in a list, the search over everything and the directory, if each request fails once, a reader who repeats each step adds cards, chooses an option and searches", async ({
  page,
  site,
}) => {
  await addLinks(site);
  await addPeople(site);
  for (const { path, selector, option, text } of LISTS) {
    await test.step(path, async () => {
      await page.goto(path);
      await hydrated(page);
      const failed = await failEachRequestOnce(page);
      const repeat = repeatOn(page);
      const count = await cards(page).count();
      await repeat(
        () => page.getByRole("main").getByRole("link", { name: "Show More" }).click(SHORT),
        (wait) => expect(cards(page)).not.toHaveCount(count, wait),
      );

      const select = page.getByRole("combobox", { name: selector });
      await select.selectOption(option);
      const field = page.getByRole("searchbox", { name: "Search", exact: true });
      await repeat(
        () => field.press("Enter"),
        (wait) => expect(page).toHaveURL(/sort=|kind=/, wait),
      );
      await field.fill(text);
      await repeat(
        () => field.press("Enter"),
        (wait) => expect(titles(page)).toHaveText([text], wait),
      );
      expect([...failed].filter((name) => name.startsWith("GET")).length).toBeGreaterThan(1);
      await page.unrouteAll();
      for (const event of ["request", "requestfinished", "requestfailed"]) page.removeAllListeners(event);
    });
  }
});

test("if each request fails once, a visitor who repeats each step asks for a link, signs in and changes the password", async ({
  page,
  site,
}) => {
  const member = await site.addMember();
  await page.goto("/profile");
  await hydrated(page);
  const failed = await failEachRequestOnce(page);
  const repeat = repeatOn(page);
  await page.getByLabel("Email address").fill(member.email);
  const isMailSent = page.getByRole("status").filter({ hasText: "If this address has an account" });
  await repeat(
    () => page.getByRole("link", { name: "Forgot your password?" }).click(SHORT),
    (wait) => expect(isMailSent).toBeVisible(wait),
  );
  await page.getByLabel("Password").fill(member.password);
  const signIn = page.getByRole("button", { name: "Sign in" });
  await repeat(
    async () => (await signIn.isVisible()) && signIn.click(SHORT),
    (wait) => expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible(wait),
  );
  const section = page.getByRole("region", { name: "Password" });
  await section.getByLabel("Current Password").fill(member.password);
  await section.getByLabel("New Password").fill("correct horse battery");
  await repeat(
    () => section.getByRole("button", { name: "Change Password" }).click(SHORT),
    (wait) => expect(section).toContainText("Your password was changed.", wait),
  );
  expect([...failed].filter((name) => name.includes("/auth/v1/")).map((name) => name.split(" ")[1])).toEqual(
    expect.arrayContaining(["/auth/v1/recover", "/auth/v1/token", "/auth/v1/user"]),
  );
  await site.openSession({ ...member, password: "correct horse battery" });
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
  const repeat = repeatOn(page);
  await page.getByLabel("Username").fill("invited");
  await page.getByLabel("New password").fill("correct horse battery");
  const setPassword = page.getByRole("button", { name: "Set password" });
  await repeat(
    async () => (await setPassword.isVisible()) && setPassword.click(SHORT),
    (wait) => expect(page.getByRole("heading", { name: "Profile Information" })).toBeVisible(wait),
  );
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
  const rows = members.locator("tbody").getByRole("row");
  await expect(rows).toHaveCount(2);
  const failed = await failEachRequestOnce(page);
  const repeat = repeatOn(page);

  await page.getByRole("searchbox", { name: "Search members" }).fill("ada byron");
  await members.getByRole("button", { name: "Try Again" }).click();
  await expect(rows).toHaveCount(1);
  await page.getByLabel("Invite").fill("grace@example.com");
  const results = page.getByRole("list", { name: "Results" });
  await repeat(
    () => page.getByRole("button", { name: "Send Invitations" }).click(SHORT),
    (wait) => expect(results).toContainText("grace@example.com is invited", wait),
  );
  const row = rows.filter({ hasText: member.email });
  await repeat(
    async () => {
      await actOn(row, "Suspend");
      await page.getByRole("alertdialog").getByRole("button", { name: "Suspend" }).click(SHORT);
    },
    (wait) => expect(members).toContainText(`${member.email} is suspended`, wait),
  );
  expect([...failed].filter((name) => name.includes("/admin/v1/")).length).toBeGreaterThan(2);
});

async function storedPictures(site: Site, memberId: string) {
  const { data } = await site.admin.storage.from("pictures").list(memberId);
  return data;
}

test("if each request fails once and then loses its response once, a member who repeats each step adds, deletes and restores one picture", async ({
  page,
  site,
  member,
}) => {
  await openForm(page, ARTICLES);
  await hydrated(page);
  const failed = await failEachRequestOnce(page);
  const lost = await loseEachResponseOnce(page);
  const repeat = repeatOn(page);

  await field(page, "Title").fill("With a picture");
  const content = field(page, "Content (Markdown)");
  await repeat(
    async () => {
      const chooser = page.waitForEvent("filechooser", SHORT);
      await page.getByRole("button", { name: "Add Picture" }).click(SHORT);
      const { bytes } = makePng(30, 20);
      // The browser prepares the picture before it sends it.
      const upload = page.waitForRequest(/\/storage\/v1\/object\//);
      await (await chooser).setFiles({ name: "plan.png", mimeType: "image/png", buffer: bytes });
      await upload;
    },
    (wait) => expect(content).toHaveValue(/^!\[plan\]\(\/storage\S+\)\n$/, wait),
  );
  await repeat(
    () => page.getByRole("button", { name: ARTICLES.createButton }).click(SHORT),
    (wait) => expect(content).toHaveValue("", wait),
  );
  expect(await storedTitles(site, ARTICLES)).toEqual(["With a picture"]);
  expect(await storedPictures(site, member.id)).toHaveLength(1);

  await page.goto("/profile");
  const section = page.getByRole("region", { name: "Your Content" });
  const pictures = section.getByRole("list", { name: "Pictures" }).getByRole("listitem");
  const undo = section.getByRole("button", { name: "Undo" });
  const tryAgain = section.getByRole("button", { name: "Try Again" });
  await repeat(
    async () => {
      await expect(tryAgain.or(pictures)).toBeVisible();
      if (await tryAgain.isVisible()) await tryAgain.click(SHORT);
    },
    (wait) => expect(pictures).toHaveCount(1, wait),
  );
  await repeat(
    () => section.getByRole("button", { name: "Delete Picture 1" }).click(SHORT),
    (wait) => expect(undo).toBeVisible(wait),
  );
  await expect(pictures).toHaveCount(0);
  expect(await storedPictures(site, member.id)).toHaveLength(0);
  await repeat(
    () => undo.click(SHORT),
    (wait) => expect(undo).toHaveCount(0, wait),
  );
  await expect(pictures).toHaveCount(1);
  expect(await storedPictures(site, member.id)).toHaveLength(1);
  for (const names of [failed, lost]) {
    expect([...names].map((name) => name.split("/pictures")[0])).toEqual(
      expect.arrayContaining([
        "POST /storage/v1/object",
        "POST /storage/v1/object/list",
        "DELETE /storage/v1/object",
      ]),
    );
  }
});

test("if each response is lost once, a member who repeats each step imports each item once", async ({
  page,
  site,
  member,
}) => {
  const article = "---\ntitle: Joins\ndate: 2024-01-02\n---\n\n![Plan](../pictures/plan.png)\n";
  const picture = new Blob([makePng(30, 20).bytes]);
  const archive = await zipTexts(
    [{ path: "articles/joins.md", text: article }],
    [{ path: "pictures/plan.png", read: async () => picture }],
  );
  const files = [
    { name: "mine.zip", mimeType: "application/zip", buffer: Buffer.from(await archive.arrayBuffer()) },
    { name: "2024-01-03-loops.md", mimeType: "text/markdown", buffer: Buffer.from("# Loops\n") },
  ];
  await page.goto("/profile");
  const section = page.getByRole("region", { name: "Your Content" });
  await expect(section.getByRole("button", { name: "Download My Content" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const lost = await loseEachResponseOnce(page);
  const repeat = repeatOn(page);
  const tryAgain = section.getByRole("button", { name: "Try Again" });

  async function readPlan(text: string) {
    await section.getByLabel("Import Content").setInputFiles(files);
    const plan = section.getByText(text);
    await repeat(
      async () => {
        await expect(tryAgain.or(plan)).toBeVisible();
        if (await tryAgain.isVisible()) await tryAgain.click(SHORT);
      },
      (wait) => expect(plan).toBeVisible(wait),
    );
  }
  await readPlan("Found 2 to create");
  await section.getByRole("button", { name: "Import 2 Items" }).click();
  await expect(section).toContainText("Imported 2 items.", { timeout: 30_000 });
  expect(await storedTitles(site, ARTICLES)).toEqual(["Joins", "Loops"]);
  expect(await storedPictures(site, member.id)).toHaveLength(1);
  await readPlan("There is nothing to import.");
  expect([...lost].map((name) => name.split(" ").slice(0, 2).join(" "))).toEqual(
    expect.arrayContaining(["GET /rest/v1/articles", "POST /rest/v1/articles"]),
  );
});
