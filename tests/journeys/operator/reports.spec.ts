import { violations } from "../../support/axe.ts";
import { expect, openSite, type Site, testOwnSite } from "../../support/site.ts";
import { hydrated } from "../../support/visiting.ts";

const test = testOwnSite(() => openSite({ REPORTS: "on" }));

test.use({ expectedProblems: [/ERR_FAILED|422/] });

const THANKS = "Thank you. The operators of this site will look at it.";

/** Stores a report without the form, because one client may send only five reports an hour. */
async function addReport(site: Site, subject_id: string, reason: string): Promise<void> {
  const report = { subject_table: "articles", subject_id, reason, email: "", client: crypto.randomUUID() };
  await site.admin.rpc("add_report", { ...report, max_per_hour: 5, max_per_subject: 20 }).throwOnError();
}

async function addArticle(site: {
  addMember(profile: object): Promise<{ id: string }>;
  add(table: string, row: object): Promise<{ id: string }>;
}) {
  const { id } = await site.addMember({ full_name: "Ada Lovelace" });
  const row = { author_id: id, title: "On Engines", content: "x", published: true };
  return { author: id, article: await site.add("articles", row) };
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, expectedProblems: [/422/] });

  test("a reader reports an article, corrects the email address, and finds the reason as it was typed", async ({
    page,
    site,
  }) => {
    const { article } = await addArticle(site);
    await page.goto(`/articles/${article.id}`);
    await page.getByRole("link", { name: "Report", exact: true }).click();
    await expect(page).toHaveURL(`/report/articles/${article.id}`);
    await expect(page).toHaveTitle("Report On Engines · Techfolio.pro");
    await expect(page.getByRole("main")).toContainText(
      "You are reporting the article On Engines by Ada Lovelace.",
    );
    await page.getByLabel("Reason").fill("<b>It is</b>\nspam");
    await page.getByLabel("Email").fill("reader@nowhere.");
    // The browser accepts this address, and the server doesn't.
    await page.locator("form").evaluate((form: HTMLFormElement) => (form.noValidate = true));
    await page.getByRole("button", { name: "Send Report" }).click();
    await expect(page.getByRole("alert")).toHaveText("Enter an email address, or leave the field empty.");
    await expect(page.getByLabel("Reason")).toHaveValue("<b>It is</b>\nspam");
    await expect(page.getByLabel("Email")).toHaveValue("reader@nowhere.");
    await expect(page.getByLabel("Email")).toHaveAccessibleDescription(
      "Enter an email address, or leave the field empty.",
    );
    await page.getByLabel("Email").fill("");
    await page.getByRole("button", { name: "Send Report" }).click();
    await expect(page.getByText(THANKS)).toBeVisible();
    await expect(page).toHaveTitle("Report sent · Techfolio.pro");
    await page.getByRole("link", { name: "Back to On Engines" }).click();
    await expect(page.getByRole("heading", { name: "On Engines" })).toBeVisible();
  });
});

test("a reader reports a person with the keyboard, and an operator suspends them and dismisses another report", async ({
  page,
  site,
  signIn,
}) => {
  const { author, article } = await addArticle(site);
  await page.goto(`/profile/${author}`);
  await hydrated(page);
  await page.getByRole("link", { name: "Report", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Report" })).toBeVisible();
  await expect(page).toHaveTitle("Report Ada Lovelace · Techfolio.pro");
  await page.getByLabel("Reason").focus();
  await page.keyboard.type('<img src="x" onerror="alert(1)"> is not her picture');
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Email")).toBeFocused();
  await page.keyboard.type("reader@example.com");
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText(THANKS)).toBeVisible();
  expect(await violations(page)).toEqual([]);

  for (const reason of ["spam", "really spam"]) await addReport(site, article.id, reason);

  const operator = await site.addMember({ full_name: "Olga Operator" });
  await site.admin.auth.admin.updateUserById(operator.id, { app_metadata: { role: "operator" } });
  await signIn(operator);
  await page.goto("/admin");
  await expect(page.getByRole("region", { name: "Needs attention" })).toContainText(
    "Readers have reported 2 items or people.",
  );
  const region = page.getByRole("region", { name: "Reports", exact: true });
  const groups = region.getByRole("list", { name: "Reports", exact: true }).locator("> li");
  await expect(groups).toHaveCount(2);
  await expect(groups.first()).toContainText("On Engines");
  await expect(groups.first()).toContainText("2 reports");
  await expect(groups.last()).toContainText('<img src="x" onerror="alert(1)"> is not her picture');
  await expect(groups.last().getByRole("link", { name: "reader@example.com" })).toHaveAttribute(
    "href",
    "mailto:reader@example.com",
  );
  expect(await violations(page)).toEqual([]);

  await test.step("a pending and a failed action are visible on their row", async () => {
    const arrived = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    let requests = 0;
    await page.route("**/admin/v1/reports/dismiss", async (route) => {
      requests += 1;
      arrived.resolve();
      await answered.promise;
      await route.abort();
    });
    await groups.first().getByRole("button", { name: "Dismiss" }).click();
    await arrived.promise;
    await expect(groups.first()).toContainText("Dismiss: On Engines…");
    await page.keyboard.press("Enter");
    answered.resolve();
    await expect(groups.first()).toContainText("Dismiss failed: The service is not responding.");
    await expect(groups.last()).not.toContainText("failed");
    expect(requests, "a second press of a pending action starts nothing").toBe(1);
    await page.unroute("**/admin/v1/reports/dismiss");
  });

  await test.step("a group that another operator has ended disappears when its action fails, and others do after any action", async () => {
    const ended = await addArticle(site);
    const other = await addArticle(site);
    for (const { article: reported } of [ended, other]) await addReport(site, reported.id, "Twice");
    await page.reload();
    await expect(groups).toHaveCount(4);
    for (const { article: reported } of [ended, other])
      await site.admin
        .rpc("end_reports", { subject_table: "articles", subject_id: reported.id })
        .throwOnError();
    const gone = groups.filter({ hasText: "Twice" }).first().getByRole("button", { name: "Dismiss" });
    await gone.focus();
    await page.keyboard.press("Enter");
    await expect(region).toContainText("There are no more reports about this.");
    await expect(groups).toHaveCount(2);
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  });

  await groups.first().getByRole("button", { name: "Dismiss" }).focus();
  await page.keyboard.press("Enter");
  await expect(region).toContainText('2 reports about "On Engines" dismissed.');
  await expect(groups).toHaveCount(1);
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");

  await groups.first().getByRole("button", { name: "Suspend" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog");
  await dialog.getByLabel("Duration").selectOption("7 days");
  await dialog.getByRole("button", { name: "Suspend" }).focus();
  await page.keyboard.press("Enter");
  await expect(region).toContainText("is suspended until");
  // The other regions show what the action has changed.
  const members = page.getByRole("region", { name: "Members", exact: true });
  await expect(members.getByRole("row").filter({ hasText: "Ada Lovelace" }).last()).toContainText(
    "suspended",
  );
  await expect(region).toContainText("There are no open reports.");
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  const log = page.getByRole("region", { name: "Log", exact: true });
  await expect(log).toContainText("Reports dismissed: On Engines");
});
