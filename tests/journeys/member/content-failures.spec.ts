import {
  ARTICLES,
  addItem,
  CONTENT_FORMS,
  expectNoMessage,
  FAILED_REQUESTS,
  failWrites,
  field,
  fillIn,
  LINKS,
  openForm,
  SAMPLES,
  startEditing,
  storedTitles,
  unfold,
  valuesOf,
  WRITE_FAILURES,
  waitForWrite,
} from "../../support/forms.ts";
import { signInByForm } from "../../support/members.ts";
import { expect, test } from "../../support/site.ts";
import { expectTitles, shownTitles } from "../../support/visiting.ts";

test.use({ expectedProblems: FAILED_REQUESTS });

// All kinds use the same form and the same list.
test("a write that fails with a dropped connection, a 500 response or a row-level security error changes no item, keeps the member's input and shows no message", async ({
  page,
  site,
  member,
}) => {
  const form = SAMPLES;
  await addItem(site, form, member.id, "Existing");
  await openForm(page, form);
  const address = `**/rest/v1/${form.table}*`;

  /** Clicks the button once for each failure. */
  async function failToWrite(name: string, method: string) {
    const button = page.getByRole("button", { name });
    for (const fail of Object.values(WRITE_FAILURES)) {
      await failWrites(page, address, fail);
      await expectNoMessage(page, async () => {
        const finished = waitForWrite(page, method);
        await button.click();
        await finished;
        await expect(button).toBeEnabled();
      });
      await expect(button, "the button keeps the focus").toBeFocused();
      await page.unroute(address);
    }
    expect(await shownTitles(page)).toEqual(["Existing"]);
  }

  await test.step("a failed delete changes nothing", () => failToWrite("Delete Existing", "DELETE"));

  await test.step("after a failed update, the input stays in the form", async () => {
    await startEditing(page, form, "Existing");
    await field(page, "Title").fill("Changed");
    await failToWrite(form.updateButton, "POST");
    await expect(page.getByRole("heading", { name: form.editHeading })).toBeVisible();
    expect(await valuesOf(page, form)).toEqual({ Title: "Changed", ...form.fields });
  });

  await test.step("after a failed create, the input stays in the form and the next attempt stores it", async () => {
    await page.getByRole("button", { name: "Cancel" }).click();
    await fillIn(page, form, "Not lost");
    await failToWrite(form.createButton, "POST");
    expect(await valuesOf(page, form)).toEqual({ Title: "Not lost", ...form.fields });
    await page.getByRole("button", { name: form.createButton }).click();
    await expectTitles(page).toEqual(["Not lost", "Existing"]);
    expect(await valuesOf(page, form)).toEqual(form.empty);
  });
});

test("if the list can't be read after a save, a new item is stored and the form is empty, and an updated item's card shows its new title", async ({
  page,
  site,
  member,
}) => {
  await addItem(site, LINKS, member.id, "Before");
  await openForm(page, LINKS);
  const nextFailure = () =>
    page.waitForEvent("requestfailed", (request) => /\.data(\?|$)/.test(request.url()));

  await test.step("after a create, the list stays unchanged", async () => {
    await page.route(/\.data(\?|$)/, (route) => route.abort());
    await fillIn(page, LINKS, "Stored anyway");
    const failed = nextFailure();
    await page.getByRole("button", { name: LINKS.createButton }).click();
    await failed;
    await expect(field(page, "Title")).toHaveValue("");
    expect(await shownTitles(page)).toEqual(["Before"]);
    expect(await storedTitles(site, LINKS)).toEqual(["Before", "Stored anyway"]);
    await page.unroute(/\.data(\?|$)/);
  });

  await test.step("after an update, the card shows the new title even before the list is read", async () => {
    const requests = Promise.withResolvers<void>();
    await page.route(/\.data(\?|$)/, (route) => requests.promise.then(() => route.abort()));
    const failed = nextFailure();
    await startEditing(page, LINKS, "Before");
    await field(page, "Title").fill("After");
    await page.getByRole("button", { name: LINKS.updateButton }).click();
    await expectTitles(page).toEqual(["After"]);
    requests.resolve();
    await failed;
    await expect(page.getByRole("button", { name: "Edit After" })).toBeEnabled();
    expect(await shownTitles(page)).toEqual(["After"]);
    await page.unroute(/\.data(\?|$)/);
  });

  await test.step("the next save reads the list again", async () => {
    await startEditing(page, LINKS, "After");
    await field(page, "Title").fill("Afterwards");
    await page.getByRole("button", { name: LINKS.updateButton }).click();
    await expect(page.getByRole("article").getByRole("heading", { name: "Afterwards" })).toBeFocused();
    await expectTitles(page).toEqual(["Stored anyway", "Afterwards"]);
  });
});

test("Edit leaves the form unchanged if the item can't be read, and once it can, loads the item's current text, not the older text in the list", async ({
  page,
  site,
  member,
}) => {
  const { id } = await site.add("articles", { author_id: member.id, title: "Mine", content: "Old text" });
  await page.goto("/articles");
  await page.getByRole("button", { name: "Edit Mine" }).waitFor();
  await site.admin.from("articles").update({ content: "New text" }).eq("id", id).throwOnError();
  await page.route("**/rest/v1/articles*", (route) => route.fulfill({ status: 503, json: {} }));
  const responded = page.waitForResponse((response) => response.url().includes("/rest/v1/articles"));
  await page.getByRole("button", { name: "Edit Mine" }).click();
  await responded;
  await expect(page.getByRole("heading", { name: "Create New Article" })).toBeVisible();
  await page.unroute("**/rest/v1/articles*");
  await startEditing(page, ARTICLES, "Mine");
  await expect(field(page, "Content (Markdown)")).toHaveValue("New text");
});

test("if the form's code can't be loaded, the list stays readable and Try Again loads the form", async ({
  page,
  site,
  member,
}) => {
  await addItem(site, ARTICLES, member.id, "Existing");
  await page.route(/\/assets\/editor-(?!context).*\.js$/, (route) => route.abort());
  await page.goto("/articles");
  await expect(page.getByText("This part of the page could not be loaded.")).toBeVisible();
  expect(await shownTitles(page)).toEqual(["Existing"]);
  await page.unroute(/\/assets\/editor-(?!context).*\.js$/);
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { name: "Create New Article" })).toBeVisible();
});

test("a form asks a member without a name for one from the start, without moving the list, until the profile has a name", async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInByForm(page, await site.addMember());
  await expect.poll(() => page.evaluate(() => localStorage.getItem("techfolio.nameless"))).not.toBeNull();
  const hint = page.getByText("Readers can't see your name yet.");
  for (const form of CONTENT_FORMS) {
    await openForm(page, form);
    await expect(hint).toBeVisible();
    const [height, reserved] = await field(page, "Title").evaluate((title) => {
      const slot = title.closest('[class*="min-h-"]:has(form)') ?? document.body;
      return [slot.clientHeight, Number.parseFloat(getComputedStyle(slot).minHeight)];
    });
    expect(height, `height of the form at ${form.path}`).toBe(reserved);
  }

  await fillIn(page, SAMPLES, "Not saved");
  await failWrites(page, "**/rest/v1/code_samples*", (route) => route.abort());
  await expectNoMessage(page, async () => {
    const write = waitForWrite(page, "POST");
    await page.getByRole("button", { name: SAMPLES.createButton }).click();
    await write;
    await expect(field(page, "Title")).toBeEnabled();
  });
  await page.unrouteAll();
  await page.getByRole("button", { name: SAMPLES.createButton }).click();
  await expectTitles(page).toEqual(["Not saved"]);

  await unfold(page, SAMPLES);
  await hint.getByRole("link").click();
  await expect(page.getByLabel("Full Name")).toBeFocused();
  await page.getByLabel("Full Name").fill("Ada Marlowe");
  const saved = page.waitForEvent("dialog").then((dialog) => dialog.accept());
  await page.getByRole("button", { name: "Save Profile" }).click();
  await saved;
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Articles" }).click();
  await expect(page.getByRole("heading", { name: ARTICLES.createHeading })).toBeVisible();
  await expect(hint).toHaveCount(0);
});
