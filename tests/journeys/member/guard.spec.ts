import type { Page } from "@playwright/test";
import { addItem, field, holdWrites, LINKS, SAMPLES, startEditing } from "../../support/forms.ts";
import { expect, test } from "../../support/site.ts";

const dialog = (page: Page) => page.getByRole("alertdialog", { name: "Unsaved Changes" });
const linkTo = (page: Page, name: string) =>
  page.getByRole("banner").getByRole("link", { name, exact: true });

async function openForm(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(field(page, "Title")).toBeVisible();
}

async function makeDirty(page: Page): Promise<void> {
  await field(page, "Title").fill("Not saved");
}

/** Simulates typing a fragment into the address bar, which adds a history entry unknown to React Router. */
async function typeFragment(page: Page, fragment: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, fragment);
}

const countDrafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("techfolio.draft.")).length);

test.beforeEach(({ member: _signedIn }) => undefined);

test("a dialog asks for confirmation before the member leaves a page with unsaved changes or signs out, but not before searching, sorting and fragments on the same page", async ({
  page,
  site,
}) => {
  await openForm(page, "/articles");
  await makeDirty(page);
  await test.step("searching, sorting and fragments on the same page never open the dialog", async () => {
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("anything");
    await page.getByRole("combobox", { name: "Sort" }).selectOption("asc");
    await expect(page).toHaveURL("/articles?q=anything&sort=asc");
    await linkTo(page, "Articles").click();
    await expect(page).toHaveURL("/articles");
    await typeFragment(page, "somewhere");
    await page.goBack();
    await expect(page).toHaveURL(`${site.url}/articles`);
    await expect(dialog(page)).toHaveCount(0);
    await expect(field(page, "Title")).toHaveValue("Not saved");
  });
  await test.step("the dialog has the specified text", async () => {
    await linkTo(page, "Useful Links").click();
    await expect(dialog(page)).toBeVisible();
    await expect(dialog(page).getByRole("heading")).toHaveText("Unsaved Changes");
    await expect(dialog(page).getByRole("paragraph")).toHaveText(
      "You have unsaved changes. Are you sure you want to leave this page? Your changes will be lost.",
    );
    await expect(dialog(page).getByRole("button")).toHaveText(["Stay", "Leave"]);
    await expect(dialog(page)).toBeFocused();
    await expect(page).toHaveURL("/articles");
  });
  await test.step("Stay keeps the page and forgets the target", async () => {
    await dialog(page).getByRole("button", { name: "Stay" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL("/articles");
    await expect(field(page, "Title")).toHaveValue("Not saved");
    await expect(linkTo(page, "Useful Links"), "the focus returns to the link").toBeFocused();
  });
  await test.step("every attempt is blocked, not only the first (remix-run/react-router#10649)", async () => {
    for (let attempt = 0; attempt < 3; attempt++) {
      await linkTo(page, "Sample Code").click();
      await dialog(page).getByRole("button", { name: "Stay" }).click();
      await expect(dialog(page)).toHaveCount(0);
    }
  });
  await test.step("Leave opens the target of the last attempt", async () => {
    await linkTo(page, "Sample Code").click();
    await dialog(page).getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL("/sample-code");
    await expect(dialog(page)).toHaveCount(0);
  });
  await test.step("the dialog still appears after the member has left other pages with Leave", async () => {
    for (const [name, path] of [
      ["Articles", "/articles"],
      ["Useful Links", "/useful-links"],
    ] as const) {
      await expect(field(page, "Title")).toHaveValue("");
      await makeDirty(page);
      await linkTo(page, name).click();
      await dialog(page).getByRole("button", { name: "Leave" }).click();
      await expect(page).toHaveURL(path);
    }
  });
  await test.step("Sign Out asks as well, Stay leaves the member signed in, and Leave signs out", async () => {
    await expect(page.getByRole("heading", { name: "Useful Links", level: 1 })).toBeVisible();
    await expect(field(page, "Title")).toHaveValue("");
    await makeDirty(page);
    await page.getByRole("button", { name: "Sign Out" }).click();
    await dialog(page).getByRole("button", { name: "Stay" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL("/useful-links");
    await expect(field(page, "Title")).toHaveValue("Not saved");
    expect(await countDrafts(page)).toBe(1);
    await page.getByRole("button", { name: "Sign Out" }).click();
    await dialog(page).getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeFocused();
    expect(await countDrafts(page), "Leave has discarded the text").toBe(0);
  });
});

test("the unsaved-changes dialog works with the keyboard alone", async ({ page }) => {
  await openForm(page, "/articles");
  await makeDirty(page);
  await test.step("Escape means Stay, every time", async () => {
    for (let attempt = 0; attempt < 3; attempt++) {
      await linkTo(page, "Profile").press("Enter");
      await expect(dialog(page)).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(dialog(page)).toHaveCount(0);
      await expect(page).toHaveURL("/articles");
    }
    await expect(field(page, "Title")).toHaveValue("Not saved");
  });
  await test.step("leaving again right after Escape reopens the dialog", async () => {
    await linkTo(page, "Profile").press("Enter");
    await expect(dialog(page)).toBeVisible();
    for (let attempt = 0; attempt < 5; attempt++) {
      // Escape returns the focus to the link, and Enter follows the link again.
      await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("Enter")]);
      await expect(dialog(page)).toBeVisible();
    }
    await expect(page).toHaveURL("/articles");
  });
  await test.step("Tab moves the focus to Stay and then to Leave, and Enter then leaves the page", async () => {
    const buttons = dialog(page).getByRole("button");
    await expect(dialog(page)).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(buttons.first()).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(buttons.last()).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/profile");
  });
});

// Each kind names the fields that count (app/content/kinds/fields.test.tsx).
test("a form counts as unsaved only in edit mode or with text in Title or in the main field", async ({
  page,
  site,
  member,
}) => {
  await addItem(site, SAMPLES, member.id, "To be edited");
  await openForm(page, SAMPLES.path);
  const home = page.getByRole("heading", { name: "Our Tech Expertise" });
  const leave = () => linkTo(page, "Techfolio.pro").click();
  const expectBlocked = async () => {
    await leave();
    await dialog(page).getByRole("button", { name: "Stay" }).click();
    await expect(dialog(page)).toHaveCount(0);
  };

  await field(page, "Description").fill("Does not count");
  await field(page, "Language").selectOption("sql");
  await leave();
  await expect(home, "only the other fields are filled in").toBeVisible();
  await linkTo(page, "Sample Code").click();

  await field(page, SAMPLES.dirtyField).fill("Counts");
  await expectBlocked();
  await field(page, SAMPLES.dirtyField).fill("");
  await startEditing(page, SAMPLES, "To be edited");
  await expectBlocked();
  await page.getByRole("button", { name: "Cancel" }).click();
  await leave();
  await expect(home, "the edit is canceled").toBeVisible();
});

test("the unsaved-changes dialog closes when a pending save succeeds, but stays open when the list reloads, and Leave still leaves the page", async ({
  page,
}) => {
  await openForm(page, "/articles");
  await makeDirty(page);
  await test.step("it closes when a pending save succeeds", async () => {
    await field(page, "Content (Markdown)").fill("Text");
    const held = await holdWrites(page, "**/rest/v1/articles*");
    await page.getByRole("button", { name: "Create Article" }).click();
    await held.arrived;
    await linkTo(page, "Profile").click();
    await expect(dialog(page)).toBeVisible();
    held.release();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole("article")).toHaveCount(1);
    await expect(page).toHaveURL("/articles");
    await linkTo(page, "Profile").click();
    await expect(page).toHaveURL("/profile");
    await page.unroute("**/rest/v1/articles*");
  });
  await test.step("it stays open when the list reloads", async () => {
    // remix-run/react-router#13439: reloading the data reset the blocker, so that Leave did nothing.
    await linkTo(page, "Articles").click();
    await expect(page.getByRole("heading", { name: "Articles", level: 1 })).toBeVisible();
    await makeDirty(page);
    const held = await holdWrites(page, "**/rest/v1/articles*");
    await page.getByRole("button", { name: "Delete Not saved" }).click();
    await held.arrived;
    await linkTo(page, "Useful Links").click();
    await expect(dialog(page)).toBeVisible();
    held.release();
    await expect(page.locator("article")).toHaveCount(0);
    await expect(dialog(page)).toBeVisible();
    await dialog(page).getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL("/useful-links");
  });
});

/** Visits two other pages before /articles, so that Back has a target, and makes the form dirty. */
async function openWithHistory(page: Page): Promise<void> {
  await page.goto("/");
  await linkTo(page, "Useful Links").click();
  await expect(page).toHaveURL("/useful-links");
  await linkTo(page, "Articles").click();
  await expect(page).toHaveURL("/articles");
  await expect(field(page, "Title")).toBeVisible();
  await makeDirty(page);
}

test("Back and Forward open the unsaved-changes dialog, Stay keeps both the URL and the page, also after two quick presses of Back, and Leave goes back or forward", async ({
  page,
}) => {
  await openWithHistory(page);
  await test.step("two quick presses of Back lose neither the text nor the history, and Stay loads nothing that would close the next dialog", async () => {
    const loaded: string[] = [];
    await page.evaluate(() => {
      history.back();
      history.back();
    });
    await expect(dialog(page)).toBeVisible();
    page.on("request", (request) => request.url().includes(".data") && loaded.push(request.url()));
    await dialog(page).getByRole("button", { name: "Stay" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL("/articles");
    await linkTo(page, "Sample Code").click();
    await expect(dialog(page)).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expect(dialog(page)).toBeVisible();
    expect(loaded.filter((url) => url.includes("/articles.data"))).toEqual([]);
    await dialog(page).getByRole("button", { name: "Stay" }).click();
    await expect(field(page, "Title")).toHaveValue("Not saved");
    await field(page, "Title").fill("");
    await linkTo(page, "Sample Code").click();
    await expect(page).toHaveURL("/sample-code");
    await page.goBack();
    await expect(page).toHaveURL("/articles");
    await expect(page.getByRole("heading", { name: "Articles", level: 1 })).toBeVisible();
  });

  await makeDirty(page);
  // remix-run/react-router#11589: Back changed the URL, but the page stayed.
  for (let attempt = 0; attempt < 3; attempt++) {
    await page.evaluate(() => history.back());
    await expect(dialog(page)).toBeVisible();
    await expect(page).toHaveURL("/articles");
    await dialog(page).getByRole("button", { name: "Stay" }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(page).toHaveURL("/articles");
    await expect(field(page, "Title")).toHaveValue("Not saved");
  }

  await test.step("Leave opens the previous page", async () => {
    await page.evaluate(() => history.back());
    await dialog(page).getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL("/useful-links");
    await expect(page.getByRole("heading", { name: LINKS.createHeading })).toBeVisible();
  });

  await test.step("Forward opens the dialog as well, and Leave goes forward", async () => {
    await makeDirty(page);
    await page.evaluate(() => history.forward());
    await expect(dialog(page)).toBeVisible();
    await expect(page).toHaveURL("/useful-links");
    await dialog(page).getByRole("button", { name: "Stay" }).click();
    await page.evaluate(() => history.forward());
    await dialog(page).getByRole("button", { name: "Leave" }).click();
    await expect(page).toHaveURL("/articles");
    await expect(field(page, "Title")).toHaveValue("");
    await page.goBack();
    await page.goBack();
    await expect(page).toHaveURL("/");
  });
});

async function leaveBy(page: Page, steps: number, path: string): Promise<void> {
  await page.evaluate((steps) => history.go(steps), steps);
  await dialog(page).getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByRole("heading", { name: "Useful Links", level: 1 })).toBeVisible();
}

test("going back past fragments opens the unsaved-changes dialog, and Stay and Leave work, whether links or the address bar added the fragments", async ({
  page,
}) => {
  await test.step("fragment links", async () => {
    await openForm(page, "/useful-links");
    const skip = page.getByRole("link", { name: "Skip to content" });
    await skip.press("Enter");
    await expect(page).toHaveURL("/useful-links#main");
    // Following the same fragment link again replaces the history entry instead of adding one.
    await skip.press("Enter");
    await linkTo(page, "Articles").click();
    await expect(page).toHaveURL("/articles");
    await skip.press("Enter");
    await expect(page).toHaveURL("/articles#main");
    await makeDirty(page);
    for (const steps of [-2, -3]) {
      await page.evaluate((steps) => history.go(steps), steps);
      await expect(dialog(page)).toBeVisible();
      await dialog(page).getByRole("button", { name: "Stay" }).click();
      await expect(dialog(page)).toHaveCount(0);
      await expect(page).toHaveURL("/articles#main");
      await expect(field(page, "Title")).toHaveValue("Not saved");
    }
    await leaveBy(page, -2, "/useful-links#main");
  });

  await test.step("fragments typed into the address bar", async () => {
    await openForm(page, "/useful-links");
    await typeFragment(page, "one");
    await typeFragment(page, "two");
    await linkTo(page, "Articles").click();
    await expect(page.getByRole("heading", { name: "Articles", level: 1 })).toBeVisible();
    await typeFragment(page, "three");
    await makeDirty(page);
    for (const steps of [-2, -3, -4]) {
      await page.evaluate((steps) => history.go(steps), steps);
      await dialog(page).getByRole("button", { name: "Stay" }).click();
      await expect(page).toHaveURL("/articles#three");
      await expect(field(page, "Title")).toHaveValue("Not saved");
    }
    await leaveBy(page, -3, "/useful-links#one");
    await page.evaluate(() => history.go(3));
    await expect(page).toHaveURL("/articles#three");
    await expect(page.getByRole("heading", { name: "Articles", level: 1 })).toBeVisible();
  });
});

test("the browser warns when a tab with unsaved changes is closed, but not when a page without them is reloaded", async ({
  page,
}) => {
  await openForm(page, "/articles");
  await makeDirty(page);
  // The page begins to listen a moment after it shows the letters.
  const isAllowed = () => page.evaluate(() => dispatchEvent(new Event("beforeunload", { cancelable: true })));
  await expect.poll(isAllowed).toBe(false);
  const warning = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const browserDialog = await warning;
  expect(browserDialog.type()).toBe("beforeunload");
  await browserDialog.dismiss();
  await expect(field(page, "Title")).toHaveValue("Not saved");

  page.on("dialog", (shown) => expect(shown.type(), "the browser shows no warning").toBe("none"));
  await field(page, "Title").fill("");
  await page.reload();
  await expect(field(page, "Title")).toHaveValue("");
  await makeDirty(page);
  await field(page, "Content (Markdown)").fill("Text");
  await page.getByRole("button", { name: "Create Article" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole("article")).toHaveCount(1);
});

test.describe("the next page can't be loaded", () => {
  test.use({ expectedProblems: [/Failed to (load resource|fetch)/] });

  test("Leave keeps the form's text until the next page opens at last, and text typed after Leave as a draft", async ({
    page,
  }) => {
    await openForm(page, "/articles");
    const notice = page.getByRole("region", { name: "Failed page load" });
    const leaveToFailingPage = async () => {
      await page.route("**/*.data*", (route) => route.abort());
      await linkTo(page, "Useful Links").click();
      await dialog(page).getByRole("button", { name: "Leave" }).click();
      await expect(notice).toBeVisible();
    };
    const tryAgain = async () => {
      await page.unroute("**/*.data*");
      await notice.getByRole("button", { name: "Try Again" }).click();
      await expect(page).toHaveURL("/useful-links");
    };
    await test.step("the text stays until the next page opens", async () => {
      await makeDirty(page);
      await leaveToFailingPage();
      await expect(field(page, "Title")).toHaveValue("Not saved");
      await tryAgain();
      await linkTo(page, "Articles").click();
      await expect(page.getByRole("heading", { name: "Articles", level: 1 })).toBeVisible();
      await expect(field(page, "Title")).toHaveValue("");
      await expect(page.getByText("You have an unsent draft")).toHaveCount(0);
    });
    await test.step("text typed after Leave becomes a draft", async () => {
      await makeDirty(page);
      await leaveToFailingPage();
      await field(page, "Title").fill("Typed after Leave");
      await tryAgain();
      expect(await countDrafts(page)).toBe(1);
      await linkTo(page, "Articles").click();
      await page.getByRole("button", { name: "Restore", exact: true }).click();
      await expect(field(page, "Title")).toHaveValue("Typed after Leave");
    });
  });
});

test("while a form has unsaved changes, a link in a card's text opens the unsaved-changes dialog, and a link in the preview opens a new tab", async ({
  page,
  site,
  member,
}) => {
  await site.add("articles", {
    author_id: member.id,
    title: "With a link",
    content: "See [the links](/useful-links?sort=asc).",
  });
  await openForm(page, "/articles");
  await makeDirty(page);
  await field(page, "Content (Markdown)").fill("Or [the code](/sample-code).");
  page.on("dialog", (shown) => expect(shown.type(), "the browser shows no warning").toBe("none"));
  const opened = page.waitForEvent("popup");
  await page.getByRole("link", { name: "the code" }).click();
  await expect(await opened).toHaveURL("/sample-code");
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole("link", { name: "the links" }).click();
  await dialog(page).getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL("/useful-links?sort=asc");
});
