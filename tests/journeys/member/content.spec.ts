import type { Page } from "@playwright/test";
import { addCrowd } from "../../support/crowd.ts";
import {
  ARTICLES,
  addItem,
  CONTENT_FORMS,
  type ContentForm,
  FAILED_REQUESTS,
  FAILURES,
  failWrites,
  field,
  fillIn,
  holdWrites,
  nextWriteEnds,
  recordWrites,
  startEditing,
  storedTitles,
  valuesOf,
} from "../../support/forms.ts";
import type { Member } from "../../support/members.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { shownTitles } from "../../support/visiting.ts";

const EMPTY: Record<string, Record<string, string>> = {
  articles: { Title: "", "Content (Markdown)": "" },
  useful_links: { Title: "", URL: "", Description: "", Category: "" },
  code_samples: { Title: "", Description: "", Language: "", Code: "" },
};

async function open(page: Page, form: ContentForm): Promise<void> {
  await page.goto(form.path);
  await expect(page.getByRole("heading", { name: form.createHeading })).toBeVisible();
}

for (const form of CONTENT_FORMS) {
  test.describe(form.path, () => {
    test("a visitor sees no form and no buttons of an owner", async ({ page, site }) => {
      const member = await site.addMember();
      await addItem(site, form, member.id, "Seen by all");
      await page.goto(form.path);
      await page.keyboard.press("Shift");
      await page.locator("html[data-ready]").waitFor();
      await expect(page.getByRole("article")).toHaveCount(1);
      await expect(page.getByRole("heading", { name: form.createHeading })).toHaveCount(0);
      await expect(page.getByRole("button", { name: /^(Edit|Delete) / })).toHaveCount(0);
    });

    test("each field is the only one that its label leads to", async ({ page, site, signIn }) => {
      await signIn(await site.addMember());
      await open(page, form);
      for (const label of Object.keys(EMPTY[form.table] ?? {}))
        await expect(page.getByLabel(label)).toHaveCount(1);
    });

    test("a new item is stored as it was typed, and everybody sees it at once", async ({
      page,
      site,
      signIn,
      browser,
    }) => {
      const member = await site.addMember({ full_name: "Ada Marlowe" });
      await signIn(member);
      await open(page, form);
      const writes = recordWrites(page, form.table);
      await fillIn(page, form, "Fresh from the form");
      if (form.table === "articles") await page.getByLabel("Publish article").check();
      await page.getByRole("button", { name: form.createButton }).click();

      await expect.poll(() => shownTitles(page)).toEqual(["Fresh from the form"]);
      await expect(page.getByText("Ada Marlowe")).toBeVisible();
      expect(await valuesOf(page, form)).toEqual(EMPTY[form.table]);
      await expect(page.getByRole("heading", { name: form.createHeading })).toBeVisible();

      // Specification §7, call 16: owner and fields, and the time where the table has one.
      const isStamped = form.table !== "useful_links";
      expect(writes).toEqual([
        {
          method: "POST",
          body: {
            [form.owner]: member.id,
            title: "Fresh from the form",
            ...form.row,
            ...(form.table === "articles" && { published: true }),
            ...(isStamped && { updated_at: expect.stringMatching(/^\d{4}-.*Z$/) }),
          },
        },
      ]);

      const visitor = await browser.newPage();
      await visitor.goto(`${site.url}${form.path}`);
      expect(await shownTitles(visitor)).toEqual(["Fresh from the form"]);
      await visitor.close();
    });

    test("an item of one's own is edited in the same form", async ({ page, site, signIn }) => {
      const member = await site.addMember();
      const { id } = await addItem(site, form, member.id, "As it was");
      await addItem(site, form, (await site.addMember()).id, "Somebody else's");
      await signIn(member);
      await open(page, form);
      await expect(page.getByRole("button", { name: /^(Edit|Delete) / })).toHaveCount(2);

      const writes = recordWrites(page, form.table);
      await startEditing(page, form, "As it was");
      await expect(page.getByRole("heading", { name: form.createHeading })).toHaveCount(0);
      await expect(field(page, "Title")).toBeFocused();
      expect(await valuesOf(page, form)).toEqual({ Title: "As it was", ...form.fields });

      await field(page, "Title").fill("As it is now");
      await page.getByRole("button", { name: form.updateButton }).click();
      await expect.poll(() => shownTitles(page)).toContain("As it is now");
      await expect(page.getByRole("heading", { name: form.createHeading })).toBeVisible();
      await expect(page.getByRole("button", { name: "Cancel" })).toHaveCount(0);
      expect(await valuesOf(page, form)).toEqual(EMPTY[form.table]);
      expect(writes).toHaveLength(1);
      expect(writes[0]?.body).toMatchObject({
        id,
        [form.owner]: member.id,
        title: "As it is now",
        ...form.row,
      });
      expect(await storedTitles(site, form)).toEqual(["As it is now", "Somebody else's"]);
    });

    test("Cancel gives up an edit and empties the form", async ({ page, site, signIn }) => {
      const member = await site.addMember();
      await addItem(site, form, member.id, "Stays as it is");
      await signIn(member);
      await open(page, form);
      await expect(page.getByRole("button", { name: "Cancel" })).toHaveCount(0);
      await startEditing(page, form, "Stays as it is");
      await field(page, "Title").fill("Never mind");
      await page.getByRole("button", { name: "Cancel" }).click();
      await expect(page.getByRole("button", { name: "Edit Stays as it is" })).toBeFocused();
      expect(await valuesOf(page, form)).toEqual(EMPTY[form.table]);
      expect(await storedTitles(site, form)).toEqual(["Stays as it is"]);
    });

    test("the bin deletes at once, and leaves the focus on the next card's heading", async ({
      page,
      site,
      signIn,
    }) => {
      const member = await site.addMember();
      await addItem(site, form, member.id, "First");
      await addItem(site, form, member.id, "Second");
      await signIn(member);
      await open(page, form);
      const [newest = "", oldest = ""] = await shownTitles(page);
      await page.getByRole("button", { name: `Delete ${newest}` }).press("Enter");
      await expect.poll(() => shownTitles(page)).toEqual([oldest]);
      await expect(page.getByRole("article").getByRole("heading", { level: 2 })).toBeFocused();
      expect(await storedTitles(site, form)).toEqual([oldest]);
    });

    test("deleting the item that is being edited leaves an empty form for a new one", async ({
      page,
      site,
      signIn,
    }) => {
      const member = await site.addMember();
      await addItem(site, form, member.id, "Soon gone");
      await signIn(member);
      await open(page, form);
      await startEditing(page, form, "Soon gone");
      await page.getByRole("button", { name: "Delete Soon gone" }).click();
      await expect(page.getByRole("article")).toHaveCount(0);
      await expect(page.getByRole("heading", { name: form.createHeading })).toBeVisible();
      expect(await valuesOf(page, form)).toEqual(EMPTY[form.table]);

      await fillIn(page, form, "Another");
      await page.getByRole("button", { name: form.createButton }).click();
      await expect.poll(() => shownTitles(page)).toEqual(["Another"]);
    });

    test("a save that is under way is sent once, however often it is asked for", async ({
      page,
      site,
      signIn,
    }) => {
      await signIn(await site.addMember());
      await open(page, form);
      const writes = recordWrites(page, form.table);
      const held = await holdWrites(page, `**/rest/v1/${form.table}*`);
      await fillIn(page, form, "Only once");
      const button = page.getByRole("button", { name: form.createButton });
      await page.evaluate(() => {
        const sent = document.querySelector<HTMLFormElement>("form:has(fieldset)");
        sent?.requestSubmit();
        sent?.requestSubmit();
      });
      await held.arrived;
      await expect(button).toBeDisabled();
      await button.click({ force: true });
      held.release();
      await expect.poll(() => shownTitles(page)).toEqual(["Only once"]);
      await expect(button).toBeEnabled();
      expect(writes).toHaveLength(1);
      expect(await storedTitles(site, form)).toEqual(["Only once"]);
    });

    test("required fields are asked for by the browser", async ({ page, site, signIn }) => {
      await signIn(await site.addMember());
      await open(page, form);
      const writes = recordWrites(page, form.table);
      const required = ["Title", ...Object.keys(form.fields)].filter((label) => label !== "Description");
      for (const label of required) {
        await expect(field(page, label)).toHaveAttribute("required", "");
        await page.getByRole("button", { name: form.createButton }).click();
        await expect(field(page, label)).toBeFocused();
        const value = form.fields[label] ?? "A title";
        if (label === "Language") await field(page, label).selectOption(value);
        else await field(page, label).fill(value);
      }
      expect(writes).toEqual([]);
      await page.getByRole("button", { name: form.createButton }).click();
      await expect.poll(() => shownTitles(page)).toEqual(["A title"]);
    });

    test.describe("without a word", () => {
      test.use({ expectedProblems: FAILED_REQUESTS });

      for (const [how, fail] of Object.entries(FAILURES)) {
        test(`a save that ${how} loses nothing`, async ({ page, site, signIn }) => {
          const member = await site.addMember();
          await addItem(site, form, member.id, "There before");
          await signIn(member);
          await open(page, form);
          const address = `**/rest/v1/${form.table}*`;
          await failWrites(page, address, fail);
          const typed = { Title: "Not lost", ...form.fields };
          await fillIn(page, form, typed.Title);
          const button = page.getByRole("button", { name: form.createButton });
          const answered = nextWriteEnds(page, "POST");
          await button.click();
          await answered;
          await expect(button).toBeEnabled();
          await expect(button, "the focus is where it was").toBeFocused();
          expect(await valuesOf(page, form)).toEqual(typed);
          expect(await shownTitles(page)).toEqual(["There before"]);
          await expect(page.getByRole("alert")).toHaveCount(0);

          await page.unroute(address);
          await button.click();
          await expect.poll(() => shownTitles(page)).toEqual(["Not lost", "There before"]);
          expect(await valuesOf(page, form)).toEqual(EMPTY[form.table]);
        });

        test(`a change that ${how} stays in the form`, async ({ page, site, signIn }) => {
          const member = await site.addMember();
          await addItem(site, form, member.id, "There before");
          await signIn(member);
          await open(page, form);
          await startEditing(page, form, "There before");
          await failWrites(page, `**/rest/v1/${form.table}*`, fail);
          await field(page, "Title").fill("Changed");
          const button = page.getByRole("button", { name: form.updateButton });
          const answered = nextWriteEnds(page, "POST");
          await button.click();
          await answered;
          await expect(button).toBeEnabled();
          await expect(page.getByRole("heading", { name: form.editHeading })).toBeVisible();
          expect(await valuesOf(page, form)).toEqual({ Title: "Changed", ...form.fields });
          expect(await shownTitles(page)).toEqual(["There before"]);
        });

        test(`a deletion that ${how} changes nothing`, async ({ page, site, signIn }) => {
          const member = await site.addMember();
          await addItem(site, form, member.id, "Stays");
          await signIn(member);
          await open(page, form);
          await failWrites(page, `**/rest/v1/${form.table}*`, fail);
          const button = page.getByRole("button", { name: "Delete Stays" });
          const answered = nextWriteEnds(page, "DELETE");
          await button.click();
          await answered;
          await expect(button).toBeEnabled();
          expect(await shownTitles(page)).toEqual(["Stays"]);
          await expect(page.getByRole("alert")).toHaveCount(0);
        });
      }

      test("a reload that fails after a save leaves the list as it was", async ({ page, site, signIn }) => {
        const member = await site.addMember();
        await addItem(site, form, member.id, "There before");
        await signIn(member);
        await open(page, form);
        await page.route("**/lists/**", (route) => route.abort());
        await fillIn(page, form, "Stored all the same");
        const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/lists/"));
        await page.getByRole("button", { name: form.createButton }).click();
        await failed;
        await expect(field(page, "Title")).toHaveValue("");
        expect(await shownTitles(page)).toEqual(["There before"]);
        expect(await storedTitles(site, form)).toEqual(["Stored all the same", "There before"]);
      });
    });
  });
}

test("a save and a deletion are announced", async ({ page, site, signIn }) => {
  const member = await site.addMember();
  await signIn(member);
  await open(page, ARTICLES);
  const announcements = page.locator("[aria-live=polite]");
  await fillIn(page, ARTICLES, "Heard");
  await page.getByRole("button", { name: "Create Article" }).click();
  await expect(announcements).toContainText("Saved Heard");
  await page.getByRole("button", { name: "Delete Heard" }).click();
  await expect(announcements).toContainText("Deleted Heard");
});

test("a saved item is brought into view, however far below the form it stands", async ({
  page,
  site,
  signIn,
}) => {
  await signIn(await memberWithThirty(site));
  await page.goto("/useful-links");
  await page.getByRole("button", { name: "Edit Link 27", exact: true }).click();
  await expect(page.getByRole("button", { name: "Update Link" })).toBeInViewport();
  await field(page, "Title").fill("Link 27, changed");
  await page.getByRole("button", { name: "Update Link" }).click();
  await expect(page.getByRole("heading", { name: "Link 27, changed" })).toBeInViewport();
});

test("groups of fields are named, and dialogs that are closed name nothing", async ({
  page,
  site,
  signIn,
}) => {
  await signIn(await site.addMember());
  for (const path of ["/articles", "/useful-links", "/sample-code", "/profile"]) {
    await page.goto(path);
    await page.locator("fieldset").first().waitFor();
    await expect(page.locator("fieldset:not(:has(> legend))"), path).toHaveCount(0);
    await expect(page.locator("dialog:is([role], [aria-labelledby], [aria-describedby])"), path).toHaveCount(
      0,
    );
  }
});

test("the flag of an article is a plain toggle, and the list shows both kinds", async ({
  page,
  site,
  signIn,
}) => {
  const member = await site.addMember();
  await site.add("articles", { author_id: member.id, title: "A secret", content: "x", published: true });
  await signIn(member);
  await page.goto("/articles");
  await startEditing(page, ARTICLES, "A secret");
  await expect(page.getByLabel("Publish article")).toBeChecked();
  await expect(page.getByLabel("Publish article")).toHaveAccessibleDescription(/can appear on the home page/);
  await page.getByLabel("Publish article").uncheck();
  await page.getByRole("button", { name: "Update Article" }).click();
  await expect(page.getByRole("heading", { name: "Create New Article" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.goto("/");
  await expect(page.getByText("No articles published yet.")).toBeVisible();
});

async function memberWithThirty(site: Site): Promise<Member> {
  const member = await site.addMember();
  await addCrowd(site.admin, member.id, 30);
  return member;
}

test("a list that came with the document stays as long as it is when something in it is written", async ({
  page,
  site,
  signIn,
}) => {
  await signIn(await memberWithThirty(site));
  await page.goto("/useful-links");
  await expect(page.getByRole("article")).toHaveCount(30);
  await page.evaluate(() => {
    const counts: number[] = [];
    Object.assign(window, { counts });
    new MutationObserver(() => counts.push(document.querySelectorAll("article").length)).observe(
      document.body,
      { childList: true, subtree: true },
    );
  });
  const fewest = () => page.evaluate(() => Math.min(...(window as unknown as { counts: number[] }).counts));

  await page.getByRole("button", { name: "Delete Link 25" }).click();
  await expect(page.getByRole("article")).toHaveCount(29);
  await expect(page.getByRole("button", { name: "Edit Link 26" })).toBeInViewport();
  expect(await fewest()).toBe(29);
});

test("a list that is being searched is reloaded as well", async ({ page, site, signIn }) => {
  const member = await site.addMember({ full_name: "Ada Marlowe" });
  for (const title of ["Joins at length", "Something else"]) {
    await site.add("articles", { author_id: member.id, title, content: "x" });
  }
  await signIn(member);
  await page.goto("/articles");
  await page.getByRole("searchbox", { name: "Search", exact: true }).fill("joins");
  await expect.poll(() => shownTitles(page)).toEqual(["Joins at length"]);
  await field(page, "Title").fill("More joins");
  await field(page, "Content (Markdown)").fill("Text");
  await page.getByRole("button", { name: "Create Article" }).click();
  await expect.poll(() => shownTitles(page)).toEqual(["More joins", "Joins at length"]);
  await page.getByRole("button", { name: "Delete Joins at length" }).click();
  await expect.poll(() => shownTitles(page)).toEqual(["More joins"]);
  await startEditing(page, ARTICLES, "More joins");
  await field(page, "Title").fill("No longer found");
  await page.getByRole("button", { name: "Update Article" }).click();
  await expect(page.getByText("No articles found matching your search criteria.")).toBeVisible();
});

test.describe("without a word", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("an edit that cannot read the row says nothing and changes nothing", async ({
    page,
    site,
    signIn,
  }) => {
    const member = await site.addMember();
    await site.add("articles", { author_id: member.id, title: "Mine", content: "The text" });
    await signIn(member);
    await page.goto("/articles");
    await page.route("**/rest/v1/articles*", (route) => route.fulfill({ status: 503, json: {} }));
    const asked = page.waitForResponse((response) => response.url().includes("/rest/v1/articles"));
    await page.getByRole("button", { name: "Edit Mine" }).click();
    await asked;
    await expect(page.getByRole("heading", { name: "Create New Article" })).toBeVisible();
    await page.unroute("**/rest/v1/articles*");
    await startEditing(page, ARTICLES, "Mine");
    await expect(field(page, "Content (Markdown)")).toHaveValue("The text");
  });
});

test("Edit begins from the row as it is, not from what the list holds", async ({ page, site, signIn }) => {
  const member = await site.addMember();
  const { id } = await site.add("articles", { author_id: member.id, title: "Mine", content: "Old text" });
  await signIn(member);
  await page.goto("/articles");
  await page.getByRole("button", { name: "Edit Mine" }).waitFor();
  await site.admin.from("articles").update({ content: "New text" }).eq("id", id).throwOnError();
  await startEditing(page, ARTICLES, "Mine");
  await expect(field(page, "Content (Markdown)")).toHaveValue("New text");
});

test.describe("an item that was changed elsewhere after the form was opened", () => {
  const notice = (page: Page) => page.getByRole("status").filter({ hasText: "newer version" });

  async function editThenChange(page: Page, site: Site, member: Member) {
    const { id } = await site.add("articles", { author_id: member.id, title: "Mine", content: "One" });
    await page.goto("/articles");
    await startEditing(page, ARTICLES, "Mine");
    await site.admin.from("articles").update({ content: "Theirs" }).eq("id", id).throwOnError();
    await field(page, "Title").fill("Mine, changed");
    await page.getByRole("button", { name: "Update Article" }).click();
    await expect(notice(page)).toBeVisible();
    const read = async () =>
      (await site.admin.from("articles").select("title, content").eq("id", id).single()).data;
    expect(await read(), "nothing is overwritten").toEqual({ title: "Mine", content: "Theirs" });
    expect(await valuesOf(page, ARTICLES)).toMatchObject({ Title: "Mine, changed" });
    return read;
  }

  test("is kept when the member takes the newer version", async ({ page, site, signIn }) => {
    const member = await site.addMember();
    await signIn(member);
    await editThenChange(page, site, member);
    await page.getByRole("button", { name: "Show Newer Version" }).click();
    await expect(field(page, "Content (Markdown)")).toHaveValue("Theirs");
    await expect(page.getByRole("heading", { name: "Edit Article" })).toBeVisible();
  });

  test("is overwritten when the member saves their own", async ({ page, site, signIn }) => {
    const member = await site.addMember();
    await signIn(member);
    const read = await editThenChange(page, site, member);
    await page.getByRole("button", { name: "Save Mine" }).click();
    await expect.poll(() => shownTitles(page)).toEqual(["Mine, changed"]);
    expect(await read()).toEqual({ title: "Mine, changed", content: "One" });
  });

  test("is not made again by Update once it is deleted", async ({ page, site, signIn }) => {
    const member = await site.addMember();
    await signIn(member);
    const { id } = await site.add("articles", { author_id: member.id, title: "Mine", content: "One" });
    await page.goto("/articles");
    await startEditing(page, ARTICLES, "Mine");
    await site.admin.from("articles").delete().eq("id", id).throwOnError();
    await page.getByRole("button", { name: "Update Article" }).click();
    await expect(page.getByText("This was deleted elsewhere")).toBeVisible();
    expect(await storedTitles(site, ARTICLES)).toEqual([]);
    await page.getByRole("button", { name: "Save as New" }).click();
    await expect.poll(() => storedTitles(site, ARTICLES)).toEqual(["Mine"]);
  });
});

test("a save shows what others changed and deleted meanwhile, and fetches nothing that is here", async ({
  page,
  site,
  signIn,
}) => {
  const member = await memberWithThirty(site);
  await signIn(member);
  await page.goto("/articles");
  await page.getByRole("button", { name: "Edit Article 3", exact: true }).waitFor();
  await site.admin.from("articles").update({ title: "Article 5, changed" }).eq("title", "Article 5");
  await site.admin.from("articles").delete().eq("title", "Article 7");
  await fillIn(page, ARTICLES, "Mine");
  const answer = page.waitForResponse(/\/lists\/articles/);
  await page.getByRole("button", { name: "Create Article" }).click();
  const { cards } = await (await answer).json();
  expect(cards.filter((card: unknown) => typeof card !== "number")).toHaveLength(2);
  await expect.poll(() => shownTitles(page)).toContain("Article 5, changed");
  const titles = await shownTitles(page);
  expect(titles[0]).toBe("Mine");
  expect(titles).toHaveLength(30);
  expect(titles).not.toContain("Article 7");
});

test.describe("a form whose code cannot be loaded", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("leaves no gap, and is tried again", async ({ page, site, signIn }) => {
    await signIn(await site.addMember());
    await page.route(/\/assets\/editor-(?!frame).*\.js$/, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => /\/editor-(?!frame)/.test(request.url()));
    await page.goto("/articles");
    await failed;
    const empty = page.getByText("No articles found matching your search criteria.");
    await expect.poll(async () => (await empty.boundingBox())?.y).toBeLessThan(500);
    await page.unroute(/\/assets\/editor-(?!frame).*\.js$/);
    await expect(page.getByRole("heading", { name: "Create New Article" })).toBeVisible();
  });
});

test("the owner of an unpublished article sees that it is not on the home page, nobody else does", async ({
  page,
  site,
  signIn,
}) => {
  const member = await site.addMember();
  await site.add("articles", { author_id: member.id, title: "Mine", content: "x" });
  await site.add("articles", { author_id: (await site.addMember()).id, title: "Theirs", content: "x" });
  await signIn(member);
  await page.goto("/articles");
  await page.getByRole("button", { name: "Edit Mine" }).waitFor();
  await expect(page.getByText("not on the home page")).toHaveCount(1);
  await expect(page.getByLabel("Publish article")).toHaveAccessibleDescription(/home page/);
});
