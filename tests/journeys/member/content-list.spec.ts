import {
  ARTICLES,
  addItem,
  field,
  fillIn,
  holdWrites,
  LINKS,
  startEditing,
  storedTitles,
  unfold,
} from "../../support/forms.ts";
import { addManyItems } from "../../support/many-items.ts";
import { expect, test } from "../../support/site.ts";
import {
  clickAgain,
  expectTitles,
  holdScripts,
  idle,
  showAll,
  shownTitles,
  VIEWPORTS,
} from "../../support/visiting.ts";

test("a saved item scrolls into view, and while another one is being deleted, all other cards stay in the list", async ({
  page,
  site,
  member,
}) => {
  await addManyItems(site.admin, member.id, 30, ["useful_links"]);
  await page.goto("/useful-links");
  await expect(page.getByRole("article")).toHaveCount(30);

  await test.step("a saved item scrolls into view, even if it is far below the form", async () => {
    await page.getByRole("button", { name: "Edit Link 27", exact: true }).click();
    await expect(page.getByRole("button", { name: "Update Link" })).toBeInViewport();
    await field(page, "Title").fill("Link 27, changed");
    await page.getByRole("button", { name: "Update Link" }).click();
    await expect(page.getByRole("heading", { name: "Link 27, changed" })).toBeInViewport();
  });

  await test.step("a delete removes no other card from the server-rendered list", async () => {
    await page.reload();
    await page.getByRole("button", { name: "Delete Link 25" }).waitFor();
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
});

test("a save succeeds without a body in the response, the list then shows changes made elsewhere, and search results are reloaded after a create, a delete and an update", async ({
  page,
  site,
  signIn,
}) => {
  const member = await site.addMember({ full_name: "Ada Marlowe" });
  await signIn(member);
  await test.step("a save succeeds even if the response has no body", async () => {
    await page.goto("/articles");
    await page.route("**/rest/v1/articles*", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await route.fulfill({ response: await route.fetch(), body: "" });
    });
    await field(page, "Title").fill(`By ${member.email}`);
    await field(page, "Content (Markdown)").fill("Text");
    await page.getByRole("button", { name: "Create Article" }).click();
    await expectTitles(page).toEqual([`By ${member.email}`]);
    await expect(field(page, "Title")).toHaveValue("");
    await page.unroute("**/rest/v1/articles*");
  });

  await test.step("after a save, the list also shows changes and deletions made elsewhere", async () => {
    await addManyItems(site.admin, member.id, 30, ["articles"]);
    await page.goto("/articles");
    await page.getByRole("button", { name: "Edit Article 3", exact: true }).waitFor();
    await site.admin.from("articles").update({ title: "Article 5, changed" }).eq("title", "Article 5");
    await site.admin.from("articles").delete().eq("title", "Article 7");
    await fillIn(page, ARTICLES, "Mine");
    await page.getByRole("button", { name: "Create Article" }).click();
    await expectTitles(page).toContain("Article 5, changed");
    const titles = await shownTitles(page);
    expect(titles[0]).toBe("Mine");
    expect(titles).not.toContain("Article 7");
  });

  await test.step("search results are reloaded after a create, a delete and an update", async () => {
    for (const title of ["Joins at length", "Something else"]) {
      await site.add("articles", { author_id: member.id, title, content: "x" });
    }
    await page.goto("/articles");
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("joins");
    await expectTitles(page).toEqual(["Joins at length"]);
    await unfold(page, ARTICLES);
    await field(page, "Title").fill("More joins");
    await field(page, "Content (Markdown)").fill("Text");
    await page.getByRole("button", { name: "Create Article" }).click();
    await expectTitles(page).toEqual(["More joins", "Joins at length"]);
    await page.getByRole("button", { name: "Delete Joins at length" }).click();
    await expectTitles(page).toEqual(["More joins"]);
    await startEditing(page, ARTICLES, "More joins");
    await field(page, "Title").fill("No longer found");
    await page.getByRole("button", { name: "Update Article" }).click();
    await expect(
      page.getByRole("main").getByText("No articles found matching your search criteria."),
    ).toBeVisible();
  });
});

test("saving, deleting and restoring an item far down the list keeps all loaded pages and the reader's place, in small and large windows", async ({
  page,
  site,
  signIn,
}) => {
  const member = await site.addMember();
  await addManyItems(site.admin, member.id, 40, ["articles"]);
  const [small, , , large] = VIEWPORTS;
  await page.setViewportSize(small);
  await signIn(member);
  await page.goto("/articles");
  await page.getByRole("button", { name: "Edit Article 0", exact: true }).waitFor();
  await showAll(page, 40);
  const titles = Array.from({ length: 40 }, (_, number) => `Article ${number}`);

  for (const [viewport, edited, deleted] of [
    [small, 38, 34],
    [large, 36, 32],
  ] as const) {
    await page.setViewportSize(viewport);
    const title = `Article ${deleted}`;
    const heading = (number: number) => page.getByRole("heading", { name: `Article ${number}`, exact: true });

    await test.step(`an update at a width of ${viewport.width} pixels`, async () => {
      titles[edited] = `Article ${edited}, changed`;
      await page.getByRole("button", { name: `Edit Article ${edited}`, exact: true }).click();
      await expect(page.getByRole("heading", { name: "Edit Article" })).toBeInViewport();
      await field(page, "Title").fill(`Article ${edited}, changed`);
      await page.getByRole("button", { name: "Update Article" }).click();
      await expect(page.getByRole("heading", { name: `Article ${edited}, changed` })).toBeInViewport();
      expect(await shownTitles(page)).toEqual(titles);
    });

    await test.step(`a delete at a width of ${viewport.width} pixels`, async () => {
      await page.getByRole("button", { name: `Delete ${title}`, exact: true }).click();
      await expectTitles(page).toEqual(titles.filter((other) => other !== title));
      await expect(heading(deleted + 1)).toBeInViewport();
    });

    await test.step(`Undo at a width of ${viewport.width} pixels`, async () => {
      const notice = page.getByRole("status").filter({ hasText: `Deleted "${title}".` });
      await expect(notice).toBeInViewport();
      await notice.getByRole("button", { name: "Undo" }).click();
      await expectTitles(page).toEqual(titles);
      await expect(heading(deleted)).toBeInViewport();
    });
  }
});

test("unpublishing an article removes it from the home page but not from the list, where only its owner sees the note that it is not on the home page", async ({
  page,
  site,
  member,
}) => {
  await site.add("articles", { author_id: member.id, title: "Mine", content: "x" });
  await site.add("articles", { author_id: (await site.addMember()).id, title: "Theirs", content: "x" });
  await site.add("articles", { author_id: member.id, title: "A secret", content: "x", published: true });
  await page.goto("/articles");
  await test.step("only the owner of an unpublished article sees the note", async () => {
    await page.getByRole("button", { name: "Edit Mine" }).waitFor();
    await expect(page.getByText("not shown on the home page")).toHaveCount(1);
    await expect(page.getByLabel("Publish article")).toHaveAccessibleDescription(/home page/);
  });
  await test.step("unpublishing an article removes it from the home page but not from the list", async () => {
    await startEditing(page, ARTICLES, "A secret");
    await expect(page.getByLabel("Publish article")).toBeChecked();
    await expect(page.getByLabel("Publish article")).toHaveAccessibleDescription(
      /can appear on the home page/,
    );
    await page.getByLabel("Publish article").uncheck();
    await page.getByRole("button", { name: "Update Article" }).click();
    await expect(page.getByRole("heading", { name: "Create New Article" })).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(3);
    expect(await (await page.request.get("/")).text()).toContain("No articles published yet.");
  });
});

test("a link's card keeps its height when the owner's buttons appear", async ({ page, site, member }) => {
  const own = { profile_id: member.id, url: "https://example.test", category: "Docs" };
  await site.add("useful_links", { ...own, title: "Mine" });
  const deliver = await holdScripts(page);
  await page.goto("/useful-links", { waitUntil: "commit" });
  const card = page.getByRole("article");
  // The footer follows the card, so the whole card has arrived.
  await page.getByRole("contentinfo").waitFor();
  const before = await card.boundingBox();
  deliver();
  await page.getByRole("button", { name: "Edit Mine" }).waitFor();
  expect((await card.boundingBox())?.height).toBe(before?.height);
});

test("a double-click on Delete deletes only one item", async ({ page, site, member }) => {
  for (const title of ["One", "Two", "Three"]) await addItem(site, LINKS, member.id, title);
  // The page doesn't scroll in a window this tall, so after the first click the pointer is on the next Delete button.
  await page.setViewportSize({ width: 1280, height: 1800 });
  await page.goto("/useful-links");
  await page.getByRole("button", { name: "Delete Three" }).click();
  await expectTitles(page).toEqual(["Two", "One"]);
  await clickAgain(page);
  await page.getByRole("button", { name: "Delete One" }).press("Enter");
  await expectTitles(page).toEqual(["Two"]);
  expect(await storedTitles(site, LINKS)).toEqual(["Two"]);
});

test("slow deletes and edits don't steal the focus from the search box or another button", async ({
  page,
  site,
  member,
}) => {
  for (const title of ["Mine", "Yours"]) await addItem(site, ARTICLES, member.id, title);
  await page.goto("/articles");
  await page.getByRole("button", { name: "Edit Mine" }).waitFor();
  const search = page.getByRole("searchbox", { name: "Search", exact: true });

  await test.step("a slow delete", async () => {
    const held = await holdWrites(page, "**/rest/v1/articles*");
    await page.getByRole("button", { name: "Delete Yours" }).click();
    await held.arrived;
    await search.pressSequentially("mi");
    held.release();
    await expect(page.locator("[aria-live=polite]")).toContainText(
      'Deleted "Yours". Press Undo to restore it.',
    );
    await page.keyboard.type("ne");
    await expect(search).toHaveValue("mine");
    await page.unroute("**/rest/v1/articles*");
  });
  await test.step("a slow edit", async () => {
    const released = Promise.withResolvers<void>();
    await page.route("**/rest/v1/articles*", (route) => released.promise.then(() => route.continue()));
    await page.getByRole("button", { name: "Edit Mine" }).click();
    await search.fill("");
    await search.pressSequentially("mi");
    released.resolve();
    await page.getByRole("heading", { name: ARTICLES.editHeading }).waitFor();
    await page.keyboard.type("ne");
    await expect(search).toHaveValue("mine");
    await expect(field(page, "Title")).toHaveValue("Mine");
  });
  await test.step("a slow edit, while the focus is on another button", async () => {
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.unroute("**/rest/v1/articles*");
    const released = Promise.withResolvers<void>();
    await page.route("**/rest/v1/articles*", (route) => released.promise.then(() => route.continue()));
    await page.getByRole("button", { name: "Edit Mine" }).press("Enter");
    const other = page.getByRole("button", { name: "Delete Mine" });
    await other.focus();
    released.resolve();
    await expect(field(page, "Title")).toHaveValue("Mine");
    await idle(page);
    await expect(other).toBeFocused();
  });
});

test("a card shows the beginning of a long text and links to all of it, and its owner edits all of it", async ({
  page,
  site,
  signIn,
}) => {
  const member = await site.addMember({ full_name: "Ada Lovelace" });
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n} `.padEnd(90, "x"));
  const content = [...lines(600), "[the end]: https://x.test/end", "The last line."].join("\n\n");
  const code = [...lines(600), "the_last_line"].join("\n");
  const owner = { author_id: member.id };
  const article = await site.add("articles", { ...owner, title: "Long", content, published: true });
  const sample = { profile_id: member.id, title: "Long", code_content: code, language: "python" };
  const { id } = await site.add("code_samples", sample);
  await signIn(member);
  for (const [path, item, name, last, label, whole] of [
    ["/articles", article.id, "Read the whole article", "The last line.", "Content (Markdown)", content],
    ["/sample-code", id, "Read the whole code sample", "the_last_line", "Code", code],
  ] as const) {
    await test.step(path, async () => {
      await page.goto(path);
      const card = page.locator(`article[id="${item}"]`);
      await expect(card).toContainText("line 150 ");
      await expect(card).not.toContainText("line 250 ");
      await card.getByRole("button", { name: "Edit Long" }).click();
      await expect(field(page, label)).toHaveValue(whole);
      await page.getByRole("button", { name: "Cancel" }).click();
      await card.getByRole("link", { name, exact: true }).click();
      await expect(page).toHaveURL(`${path}/long-${item.slice(-12)}`);
      await expect(page.getByRole("article")).toContainText(last);
    });
  }
});
