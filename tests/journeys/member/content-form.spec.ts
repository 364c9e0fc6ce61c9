import type { Page } from "@playwright/test";
import { emptyValues, toColumns } from "../../../common/data/form-values.ts";
import {
  ARTICLES,
  addItem,
  CONTENT_FORMS,
  enter,
  FAILED_REQUESTS,
  field,
  fillIn,
  holdWrites,
  LINKS,
  openForm,
  recordWrites,
  SAMPLES,
  startEditing,
  storedTitles,
  valuesOf,
  waitForWrite,
} from "../../support/forms.ts";
import { expect, test } from "../../support/site.ts";
import { cardOf, expectTitles, layoutShift, translate, watchShifts } from "../../support/visiting.ts";

test("a member fills in a form of each kind, creates an item that visitors see immediately, and edits it", async ({
  page,
  site,
  signIn,
}) => {
  const member = await site.addMember({ full_name: "Ada Marlowe" });
  const other = await site.addMember();
  await signIn(member);
  for (const form of CONTENT_FORMS) {
    await addItem(site, form, other.id, "Another member's");
    await openForm(page, form);
    const writes = recordWrites(page, form.table);
    const create = page.getByRole("button", { name: form.createButton });

    await test.step(`${form.path}: every field has its own label, and required fields that are empty or contain only whitespace are rejected`, async () => {
      for (const label of Object.keys(form.empty)) await expect(field(page, label)).toHaveCount(1);
      for (const label of form.required) {
        await expect(field(page, label)).toHaveAttribute("required", "");
        await create.click();
        await expect(field(page, label)).toBeFocused();
        await enter(field(page, label), form.fields[label] ?? "A title");
      }
      // A field for an address has its own message.
      const texts = ["Title", form.dirtyField].filter((label) => label !== "URL");
      for (const label of texts) {
        const filled = await field(page, label).inputValue();
        await field(page, label).fill(" \t ");
        await create.click();
        await expect(field(page, label)).toBeFocused();
        expect(await field(page, label).evaluate((input: HTMLInputElement) => input.validationMessage)).toBe(
          "Please fill out this field.",
        );
        await field(page, label).fill(filled);
      }
      expect(writes).toEqual([]);
    });

    await test.step(`${form.path}: the form sends the new item in a single write, becomes empty, and visitors see the item`, async () => {
      await fillIn(page, form, "Fresh from the form");
      if (form.kind.isPublishable) await page.getByLabel("Publish article").check();
      await create.click();
      await expectTitles(page).toEqual(["Fresh from the form", "Another member's"]);
      await expect(page.getByText("Ada Marlowe")).toBeVisible();
      expect(await valuesOf(page, form)).toEqual(form.empty);
      await expect(page.getByRole("heading", { name: form.createHeading })).toBeVisible();

      // The payload of call 16 in specification §7, plus the id that the form generated.
      expect(writes.splice(0)).toEqual([
        {
          method: "POST",
          body: {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            [form.owner]: member.id,
            ...toColumns(form.kind, emptyValues(form.kind)),
            title: "Fresh from the form",
            ...form.row,
            ...(form.kind.isPublishable && { published: true }),
            ...(form.kind.hasUpdatedAt && { updated_at: expect.stringMatching(/^\d{4}-.*Z$/) }),
          },
        },
      ]);

      expect(await (await fetch(site.url + form.path)).text()).toContain("Fresh from the form");
    });

    await test.step(`${form.path}: Edit fills the same form, and Update stores the item under its id`, async () => {
      await startEditing(page, form, "Fresh from the form");
      await expect(page.getByRole("heading", { name: form.createHeading })).toHaveCount(0);
      await expect(field(page, "Title")).toBeFocused();
      expect(await valuesOf(page, form)).toEqual({ Title: "Fresh from the form", ...form.fields });
      const stored = site.admin.from(form.table).select("id").eq("title", "Fresh from the form");
      const { data } = await stored.single().throwOnError();

      await field(page, "Title").fill("As it is now");
      await page.getByRole("button", { name: form.updateButton }).click();
      await expectTitles(page).toContain("As it is now");
      await expect(page.getByRole("heading", { name: form.createHeading })).toBeVisible();
      await expect(page.getByRole("button", { name: "Cancel" })).toHaveCount(0);
      expect(await valuesOf(page, form)).toEqual(form.empty);
      expect(writes).toHaveLength(1);
      const values = { id: data.id, [form.owner]: member.id, title: "As it is now", ...form.row };
      expect(writes[0]?.body).toMatchObject(values);
      expect(await storedTitles(site, form)).toEqual(["Another member's", "As it is now"]);
    });
  }
});

// All kinds use the same form and the same list.
test("members can edit only their own items, Cancel discards an edit, and Delete works without confirmation", async ({
  page,
  site,
  member,
}) => {
  const form = LINKS;
  await addItem(site, form, (await site.addMember()).id, "Another member's");
  await addItem(site, form, member.id, "Mine");
  await openForm(page, form);
  const writes = recordWrites(page, form.table);

  await test.step("members can edit only their own items, and Cancel discards an edit", async () => {
    await expect(page.getByRole("button", { name: /^(Edit|Delete) / })).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Cancel" })).toHaveCount(0);
    await startEditing(page, form, "Mine");
    await field(page, "Title").fill("Never mind");
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("button", { name: "Edit Mine" })).toBeFocused();
    expect(await valuesOf(page, form)).toEqual(form.empty);
    expect(writes).toEqual([]);
  });

  await test.step("deleting the item that is being edited empties the form for a new one", async () => {
    await startEditing(page, form, "Mine");
    await page.getByRole("button", { name: "Delete Mine" }).click();
    await expectTitles(page).toEqual(["Another member's"]);
    await expect(page.getByRole("heading", { name: form.createHeading })).toBeVisible();
    expect(await valuesOf(page, form)).toEqual(form.empty);
    await fillIn(page, form, "Another");
    await page.getByRole("button", { name: form.createButton }).click();
    await expectTitles(page).toEqual(["Another", "Another member's"]);
  });

  await test.step("Delete works without confirmation and moves the focus to the notice, from where Tab leads to Undo", async () => {
    await page.getByRole("button", { name: "Delete Another", exact: true }).press("Enter");
    await expectTitles(page).toEqual(["Another member's"]);
    await expect(page.locator(":focus")).toContainText("Deleted");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
    expect(await storedTitles(site, form)).toEqual(["Another member's"]);
  });
});

/** Lets POST requests reach the server, but drops their responses. */
async function loseResponses(page: Page, address: string): Promise<void> {
  await page.route(address, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort();
  });
}

test("a field of the link form is marked as invalid only after a rejected save and until it is corrected, reports that the database would reject its value, and loses spaces around a pasted URL", async ({
  page,
  member: _signedIn,
}) => {
  const writes = recordWrites(page, "useful_links");
  await openForm(page, LINKS);
  const title = field(page, "Title");
  await test.step("a required field is marked as invalid only after a rejected save, and until it is corrected", async () => {
    await expect(title).toHaveAttribute("aria-invalid", "false");
    await page.getByRole("button", { name: LINKS.createButton }).click();
    await expect(title).toHaveAttribute("aria-invalid", "true");
    await fillIn(page, LINKS, "Docs");
    await expect(title).toHaveAttribute("aria-invalid", "false");
  });
  for (const [label, value, message] of [
    ["URL", "ftp://example.test/file", "Please enter an address that starts with https:// or http://."],
    ["Title", "x".repeat(1_001), "Please use at most 1,000 characters. The text has 1,001."],
    ["Description", "x".repeat(20_001), "Please use at most 20,000 characters. The text has 20,001."],
  ] as const) {
    await fillIn(page, LINKS, "Rejected");
    // Sets the value as a restored draft does, because browsers truncate text that is typed or pasted.
    await field(page, label).evaluate((input, value) => {
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value")?.set?.call(input, value);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }, value);
    const validity = () => field(page, label).evaluate((input: HTMLInputElement) => input.validationMessage);
    await expect.poll(validity, { message: label }).toBe(message);
    await page.getByRole("button", { name: LINKS.createButton }).click();
    await expect(field(page, label)).toBeFocused();
  }
  expect(writes).toEqual([]);

  await fillIn(page, LINKS, "Pasted");
  await field(page, "URL").fill("");
  await page.keyboard.insertText(" https://example.test/pasted ");
  await page.getByRole("button", { name: LINKS.createButton }).click();
  await expectTitles(page).toEqual(["Pasted"]);
  const link = page.getByRole("link", { name: "Open Pasted" });
  await expect(link).toHaveAttribute("href", "https://example.test/pasted");
  await expect(title).toHaveValue("");
  await expect(title).toHaveAttribute("aria-invalid", "false");
});

test.describe("saves with a lost response", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("retrying a save after a lost response stores one item, even over plain HTTP and from a restored draft, and does not overwrite a newer version of the item", async ({
    page,
    context,
    site,
    member: _signedIn,
  }) => {
    // Simulates plain HTTP on a host other than localhost, where browsers do not provide `randomUUID`.
    await context.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, "randomUUID"));
    await openForm(page, ARTICLES);
    await loseResponses(page, "**/rest/v1/articles*");
    await fillIn(page, ARTICLES, "Once");
    const finished = waitForWrite(page, "POST");
    await page.getByRole("button", { name: ARTICLES.createButton }).click();
    await finished.catch(() => undefined);
    await expect(page.getByRole("button", { name: ARTICLES.createButton })).toBeEnabled();
    await page.unroute("**/rest/v1/articles*");
    expect(await storedTitles(site, ARTICLES)).toEqual(["Once"]);

    await test.step("the member closes the tab, restores the draft and saves it", async () => {
      const next = await context.newPage();
      await page.close({ runBeforeUnload: false });
      await next.goto("/articles");
      await next.getByRole("button", { name: "Restore" }).click();
      await field(next, "Content (Markdown)").fill("Longer than before");
      await next.getByRole("button", { name: ARTICLES.createButton }).click();
      await expect(next.getByRole("article").getByText("Longer than before")).toBeVisible();
      await expectTitles(next).toEqual(["Once"]);
      expect(await storedTitles(site, ARTICLES)).toEqual(["Once"]);

      await test.step("a newer version of the item is not overwritten", async () => {
        await loseResponses(next, "**/rest/v1/articles*");
        await fillIn(next, ARTICLES, "Another");
        await next.getByRole("button", { name: ARTICLES.createButton }).click();
        await expect.poll(() => storedTitles(site, ARTICLES)).toEqual(["Another", "Once"]);
        await expect(next.getByRole("button", { name: ARTICLES.createButton })).toBeEnabled();
        await next.unroute("**/rest/v1/articles*");
        await site.admin.from("articles").update({ content: "Newer" }).eq("title", "Another").throwOnError();
        await next.getByRole("button", { name: ARTICLES.createButton }).click();
        await expect(next.getByRole("status").filter({ hasText: "newer version" })).toBeVisible();
        await next.getByRole("button", { name: "Show Newer Version" }).click();
        await expect(field(next, "Content (Markdown)")).toHaveValue("Newer");
        await expect(next.getByRole("heading", { name: ARTICLES.editHeading })).toBeVisible();
      });
    });
  });
});

test("while a save is pending, submitting the form again sends nothing, and an item that is deleted stays deleted", async ({
  page,
  site,
  member,
}) => {
  await test.step("a form that is submitted twice is sent only once", async () => {
    await openForm(page, SAMPLES);
    const writes = recordWrites(page, SAMPLES.table);
    const held = await holdWrites(page, `**/rest/v1/${SAMPLES.table}*`);
    await fillIn(page, SAMPLES, "Only once");
    const button = page.getByRole("button", { name: SAMPLES.createButton });
    await page.evaluate(() => {
      const sent = document.querySelector<HTMLFormElement>("form:has(fieldset)");
      sent?.requestSubmit();
      sent?.requestSubmit();
    });
    await held.arrived;
    await expect(button).toBeDisabled();
    await expect(page.getByText("Saving…")).toBeVisible();
    await button.click({ force: true });
    held.release();
    await expectTitles(page).toEqual(["Only once"]);
    await expect(page.getByText("Saving…")).toHaveCount(0);
    await expect(button).toBeEnabled();
    expect(writes).toHaveLength(1);
    expect(await storedTitles(site, SAMPLES)).toEqual(["Only once"]);
    await page.unroute(`**/rest/v1/${SAMPLES.table}*`);
  });
  await test.step("an item that is deleted while its update is pending stays deleted", async () => {
    await addItem(site, ARTICLES, member.id, "Mine");
    await openForm(page, ARTICLES);
    await startEditing(page, ARTICLES, "Mine");
    await field(page, "Title").fill("Mine, changed");
    const released = Promise.withResolvers<void>();
    await page.route("**/rest/v1/articles*", async (route) => {
      if (route.request().method() === "POST") await released.promise;
      await route.continue();
    });
    const update = page.waitForRequest((request) => request.method() === "POST");
    await page.getByRole("button", { name: ARTICLES.updateButton }).click();
    await update;
    await page.getByRole("button", { name: "Delete Mine" }).click();
    await expect(page.getByRole("button", { name: "Delete Mine" })).toHaveAttribute("aria-disabled", "true");
    released.resolve();
    await expect(page.getByRole("article")).toHaveCount(0);
    expect(await storedTitles(site, ARTICLES)).toEqual([]);
  });
});

test("the form switches between create and edit mode on a page that the browser has translated", async ({
  page,
  site,
  member,
}) => {
  await addItem(site, ARTICLES, member.id, "Mine");
  await openForm(page, ARTICLES);
  await page.getByRole("button", { name: "Edit Mine" }).waitFor();
  await translate(page);
  await startEditing(page, ARTICLES, "Mine");
  await translate(page);
  await field(page, "Title").fill("Changed");
  await page.getByRole("button", { name: ARTICLES.updateButton }).click();
  await expectTitles(page).toEqual(["Changed"]);
  await translate(page);
  await expect(page.getByRole("heading", { name: ARTICLES.createHeading })).toBeVisible();
  await expect(page.getByRole("button", { name: ARTICLES.createButton })).toBeVisible();
});

test("on a phone, an untouched form shows its heading and a button, opens and closes with it, and stays open with text, a draft or an item", async ({
  page,
  context,
  site,
  signIn,
}) => {
  const member = await site.addMember({ full_name: "Ada Marlowe" });
  const { id } = await addItem(site, ARTICLES, member.id, "Mine");
  await signIn(member);
  await page.setViewportSize({ width: 390, height: 844 });
  await watchShifts(page);
  await page.goto("/articles");
  const open = page.getByRole("button", { name: "Open Form", exact: true });
  const close = page.getByRole("button", { name: "Close Form", exact: true });
  await expect(open).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByRole("heading", { name: "Create New Article" })).toBeVisible();
  await expect(field(page, "Title")).toBeHidden();
  await expect(cardOf(page, id).getByRole("heading")).toBeInViewport();
  expect(await layoutShift(page)).toBe(0);

  await open.focus();
  await page.keyboard.press("Enter");
  await expect(field(page, "Title")).toBeFocused();
  await expect(close).toHaveAttribute("aria-expanded", "true");
  await close.focus();
  await page.keyboard.press("Enter");
  await expect(open).toBeFocused();
  await expect(field(page, "Title")).toBeHidden();

  await open.click();
  await field(page, "Title").fill("From a phone");
  await expect(close).toHaveCount(0);
  await field(page, "Content (Markdown)").fill("Text");
  const next = await context.newPage();
  await next.setViewportSize({ width: 390, height: 844 });
  await watchShifts(next);
  await next.goto("/articles");
  await expect(next.getByRole("status").filter({ hasText: "You have an unsent draft" })).toBeVisible();
  await expect(field(next, "Title")).toBeVisible();
  expect(await layoutShift(next), "a form with a draft is open from the start").toBe(0);
  await next.close();

  await page.getByRole("button", { name: "Create Article" }).click();
  await expect(page.getByRole("heading", { name: "From a phone" })).toBeFocused();
  await expect(page.getByRole("heading", { name: "From a phone" })).toBeInViewport();
  await expect(open).toBeVisible();
  await expect(field(page, "Title")).toBeHidden();

  await startEditing(page, ARTICLES, "Mine");
  await expect(field(page, "Title")).toBeFocused();
  await expect(field(page, "Title")).toHaveValue("Mine");
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Edit Mine", exact: true })).toBeFocused();
  await expect(page.getByRole("button", { name: "Edit Mine", exact: true })).toBeInViewport();
  await expect(field(page, "Title")).toBeHidden();
});

test("on a desktop, the empty form is open, and a search that finds something folds it until it ends or the form has text", async ({
  page,
  site,
  signIn,
}) => {
  const member = await site.addMember({ full_name: "Ada Marlowe" });
  const { id } = await addItem(site, LINKS, member.id, "The only hit");
  await signIn(member);
  await watchShifts(page);
  await page.goto("/useful-links");
  await expect(field(page, "Title")).toBeVisible();
  const open = page.getByRole("button", { name: "Open Form", exact: true });
  await expect(open).toBeHidden();
  const search = page.getByRole("searchbox", { name: "Search", exact: true });
  await search.fill("only hit");
  await expect(open).toBeVisible();
  await expect(field(page, "Title")).toBeHidden();
  await expect(search).toBeFocused();

  await page.reload();
  await expect(open).toBeVisible();
  await expect(cardOf(page, id).getByRole("heading")).toBeInViewport();
  expect(await layoutShift(page)).toBe(0);
  await open.click();
  await expect(field(page, "Title")).toBeFocused();
  await field(page, "Title").fill("Typed");
  await search.fill("only");
  await expect(page).toHaveURL("/useful-links?q=only");
  await expect(field(page, "Title")).toHaveValue("Typed");
  await expect(field(page, "Title")).toBeVisible();
  await field(page, "Title").fill("");
  await search.fill("");
  await expect(page).toHaveURL("/useful-links");
  await expect(field(page, "Title")).toBeVisible();
});
