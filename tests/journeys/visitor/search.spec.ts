import type { Page } from "@playwright/test";
import { addCrowd } from "../../support/crowd.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { expectTitles, holdScripts, hydrated, shownTitles } from "../../support/visiting.ts";

const day = (number: number) => new Date(Date.UTC(2026, 2, number, 12)).toISOString();
const textField = (page: Page) => page.getByRole("searchbox", { name: "Search", exact: true });
const authorField = (page: Page) => page.getByRole("searchbox", { name: "Search by author", exact: true });
const sortField = (page: Page) => page.getByRole("combobox", { name: "Sort", exact: true });

/** Two members with an article, a link and a sample each, whose words stand in one field only. */
async function arrange(site: Site): Promise<void> {
  const [ada, grace] = await Promise.all([
    site.addMember({ username: "countess", full_name: "Ada Lovelace" }),
    site.addMember({ username: "amazing.grace", full_name: "" }),
  ]);
  for (const [number, { id }] of [ada, grace].entries()) {
    const [mark, created_at] = [number === 0 ? "first" : "second", day(number + 1)];
    await site.add("articles", {
      author_id: id,
      title: `Article ${mark}`,
      content: `Ünïcode **Window** functions ${mark}-content`,
      created_at,
    });
    await site.add("useful_links", {
      profile_id: id,
      title: `Link ${mark}`,
      url: "https://hidden-address.example",
      description: `A ${mark}-description`,
      category: `${mark}-Category`,
      created_at,
    });
    await site.add("code_samples", {
      profile_id: id,
      title: `Sample ${mark}`,
      description: `A ${mark}-description`,
      language: "yaml",
      code_content: `key: ${mark}-code 100%_\\`,
      created_at,
    });
  }
}

const CASES = [
  ["/articles", "ARTICLE FIRST", ["Article first"]],
  ["/articles", "second-CONTENT", ["Article second"]],
  ["/articles", "ÜNÏCODE **window**", ["Article second", "Article first"]],
  ["/articles", "lovelace", []],
  ["/useful-links", "link second", ["Link second"]],
  ["/useful-links", "First-Description", ["Link first"]],
  ["/useful-links", "second-category", ["Link second"]],
  ["/useful-links", "hidden-address", []],
  ["/sample-code", "sample FIRST", ["Sample first"]],
  ["/sample-code", "second-description", ["Sample second"]],
  ["/sample-code", "FIRST-code", ["Sample first"]],
  ["/sample-code", "100%_\\", ["Sample second", "Sample first"]],
  ["/sample-code", "yaml", []],
  ["/sample-code", "%", ["Sample second", "Sample first"]],
] as const;

test("the search looks at the fields of its page, whatever the case, and at no other", async ({
  page,
  site,
}) => {
  await arrange(site);
  for (const [path, text, titles] of CASES) {
    if (new URL(page.url()).pathname !== path) await page.goto(path);
    await textField(page).fill(text);
    await expect.poll(() => shownTitles(page), `${text} on ${path}`).toEqual(titles);
    if (titles.length === 0)
      await expect(
        page.getByRole("main").getByText(/^No .* found matching your search criteria\.$/),
      ).toBeVisible();
  }
});

/** What the marker lies on, in the order of the page. */
function markedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...(CSS.highlights.get("search") ?? [])].map((hit) => {
      const range = document.createRange();
      range.setStart(hit.startContainer, hit.startOffset);
      range.setEnd(hit.endContainer, hit.endOffset);
      return range.toString();
    }),
  );
}

test("what is found is marked in titles and texts as one types, and the markup stays as it is", async ({
  page,
  site,
}) => {
  await arrange(site);
  await page.goto("/articles");
  await hydrated(page);
  const cards = () => page.locator("[data-list]").innerHTML();
  const before = await cards();
  await textField(page).fill("WINDOW");
  await expect.poll(() => markedTexts(page)).toEqual(["Window", "Window"]);
  expect(await cards()).toBe(before);
  await textField(page).fill("first");
  await expect.poll(() => markedTexts(page)).toEqual(["first", "first"]);
  await textField(page).fill("");
  await expect.poll(() => markedTexts(page)).toEqual([]);
});

test("a search in the address is marked once the application runs", async ({ page, site }) => {
  await arrange(site);
  for (const [address, hits] of [
    ["/useful-links?q=second", ["second", "second", "second"]],
    ["/sample-code?q=KEY", ["key", "key"]],
  ] as const) {
    await page.goto(address);
    await hydrated(page);
    await expect.poll(() => markedTexts(page), address).toEqual(hits);
  }
});

for (const [device, width] of [
  ["a desktop", 1280],
  ["a phone", 390],
] as const) {
  test(`on ${device} the search stays in sight, and what it finds begins below it`, async ({
    page,
    site,
  }) => {
    const { id } = await site.addMember({ username: "ada" });
    const titles = Array.from({ length: 30 }, (_, number) => `Article ${number}`);
    for (const title of titles)
      await site.add("articles", { author_id: id, title, content: "Long text. ".repeat(200) });
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/articles");
    await hydrated(page);
    await page.mouse.wheel(0, 3_000);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(2_000);
    await expect(textField(page)).toBeInViewport({ ratio: 1 });
    await textField(page).fill("article 1");
    const first = page.getByRole("heading", { level: 2 }).first();
    await expect(first).toHaveText("Article 19");
    const [field, heading] = [await textField(page).boundingBox(), await first.boundingBox()];
    expect(heading?.y).toBeGreaterThanOrEqual((field?.y ?? 0) + (field?.height ?? 0));
    await expect(first).toBeInViewport({ ratio: 1 });
  });
}

test("the author filter looks at the full name and the username, and combines with the search", async ({
  page,
  site,
}) => {
  await arrange(site);
  await page.goto("/articles");
  for (const [author, titles] of [
    ["LOVELACE", ["Article first"]],
    ["countess", ["Article first"]],
    ["Amazing.G", ["Article second"]],
    ["a", ["Article second", "Article first"]],
    ["nobody", []],
  ] as const) {
    await authorField(page).fill(author);
    await expect.poll(() => shownTitles(page), author).toEqual(titles);
  }
  await authorField(page).fill("ada");
  await textField(page).fill("window");
  await expectTitles(page).toEqual(["Article first"]);
  await textField(page).fill("second");
  await expect(
    page.getByRole("main").getByText("No articles found matching your search criteria."),
  ).toBeVisible();
  await authorField(page).fill("");
  await expectTitles(page).toEqual(["Article second"]);
  await textField(page).fill("");
  await sortField(page).selectOption("asc");
  await expectTitles(page).toEqual(["Article first", "Article second"]);
});

test("the search stands in the address: it can be kept, sent and gone back to", async ({ page, site }) => {
  await arrange(site);
  await page.goto("/");
  await page.goto("/articles");
  await textField(page).fill("window & %");
  await expect(page).toHaveURL(/[?&]q=window(\+|%20)%26(\+|%20)%25/);
  await textField(page).fill("window");
  await authorField(page).fill("ada");
  await sortField(page).selectOption("Oldest First");
  const searchedFor = { q: "window", author: "ada", sort: "asc" };
  await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(searchedFor);

  await page.reload();
  await expect(textField(page)).toHaveValue("window");
  await expect(authorField(page)).toHaveValue("ada");
  await expect(sortField(page)).toHaveValue("asc");
  expect(await shownTitles(page)).toEqual(["Article first"]);

  // Typing is not travelling: one step back is the page before.
  await page.goBack();
  await expect(page).toHaveURL("/");
  await page.goForward();
  await expect(textField(page)).toHaveValue("window");
  await expectTitles(page).toEqual(["Article first"]);

  await textField(page).fill("");
  await authorField(page).fill("");
  await sortField(page).selectOption("Newest First");
  await expect(page).toHaveURL("/articles");
});

test("keys that come faster than pictures share one change of the address, after the first", async ({
  page,
  site,
}) => {
  await arrange(site);
  await page.goto("/articles");
  await hydrated(page);
  const changes = await page.evaluateHandle(() => {
    const addresses: string[] = [];
    const replaceState = history.replaceState.bind(history);
    history.replaceState = (state, unused, url) => {
      addresses.push(String(url));
      replaceState(state, unused, url);
    };
    return addresses;
  });
  await textField(page).evaluate((field: HTMLInputElement) => {
    for (let length = 1; length <= "second".length; length++) {
      field.value = "second".slice(0, length);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  await expect(page).toHaveURL("/articles?q=second");
  await expectTitles(page).toEqual(["Article second"]);
  expect((await changes.jsonValue()).length).toBeLessThanOrEqual(2);
});

test("another page of the site begins with a search of its own", async ({ page, site }) => {
  await arrange(site);
  await page.goto("/articles?q=first");
  expect(await shownTitles(page)).toEqual(["Article first"]);
  await hydrated(page);
  await page.getByRole("link", { name: "Useful Links" }).click();
  await expect(textField(page)).toHaveValue("");
  await expectTitles(page).toEqual(["Link second", "Link first"]);
  await page.goBack();
  await expect(textField(page)).toHaveValue("first");
  await expectTitles(page).toEqual(["Article first"]);
  await page.getByRole("link", { name: "Articles" }).click();
  await expect(textField(page)).toHaveValue("");
  await expectTitles(page).toEqual(["Article second", "Article first"]);
});

test("typing does not hold up the way to another page, and is there for whoever comes back", async ({
  page,
  site,
}) => {
  await arrange(site);
  await page.goto("/sample-code");
  await hydrated(page);
  const released = Promise.withResolvers<void>();
  await page.route(/\/lists\/articles/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
  await expect(page.getByRole("progressbar", { name: "Loading" })).toBeAttached();
  await textField(page).fill("sample first");
  await expect.poll(() => new URL(page.url()).search).toBe("?q=sample+first");
  released.resolve();
  await expect(page.getByRole("heading", { level: 1, name: "Articles" })).toBeVisible();
  await expect(page).toHaveURL("/articles");
  await expect(textField(page)).toHaveValue("");
  await expectTitles(page).toEqual(["Article second", "Article first"]);
  await page.goBack();
  await expect(textField(page)).toHaveValue("sample first");
  await expectTitles(page).toEqual(["Sample first"]);
});

test("a letter is painted before anything is done for its result", async ({ page, site }) => {
  await arrange(site);
  await page.clock.install();
  await page.goto("/articles");
  await hydrated(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_000);
  await textField(page).press("f");
  await expect(textField(page)).toHaveValue("f");
  await expect(page).toHaveURL("/articles");
  await page.clock.runFor(100);
  await expect(page).toHaveURL("/articles?q=f");
});

test("a letter that is deleted before it is answered leaves the fields free to follow the address", async ({
  page,
  site,
}) => {
  await arrange(site);
  await page.clock.install();
  await page.goto("/articles?q=first");
  await hydrated(page);
  await page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
  await expect(page).toHaveURL("/articles");
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_000);
  await textField(page).press("f");
  await textField(page).press("Backspace");
  await page.clock.runFor(100);
  await page.clock.resume();
  await page.goBack();
  await expect(textField(page)).toHaveValue("first");
  await expectTitles(page).toEqual(["Article first"]);
});

test("the number of results is announced once the typing pauses, and so is that there are none", async ({
  page,
  site,
}) => {
  await arrange(site);
  await page.clock.install();
  await page.goto("/articles");
  await hydrated(page);
  const whole = page.waitForResponse(/all=true/);
  await textField(page).focus();
  await (await whole).finished();
  const announcements = page.locator("[aria-live=polite]");
  // However slow the machine is, no pause arises between two keys.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_000);
  for (const letter of "first") {
    await textField(page).press(letter);
    await page.clock.runFor(50);
  }
  await expect(page).toHaveURL("/articles?q=first");
  await expect(announcements).toHaveText("");
  await page.clock.resume();
  await expect(announcements).toHaveText("1 result");
  await textField(page).fill("neither");
  await expect(announcements).toContainText("No articles found matching your search criteria.");
});

test("the number of results is that of all, however few of them are drawn", async ({ page, site }) => {
  const { id } = await site.addMember();
  await addCrowd(site.admin, id, 90, ["useful_links"]);
  await page.goto("/useful-links");
  await hydrated(page);
  const whole = page.waitForResponse(/all=true/);
  await textField(page).focus();
  await (await whole).finished();
  await textField(page).fill("Link");
  await expect(page.locator("[aria-live=polite]")).toHaveText("90 results");
});

test.describe("a search that fails", () => {
  test.use({ expectedProblems: [/ERR_FAILED/] });

  test("announces nothing", async ({ page, site }) => {
    await arrange(site);
    await page.clock.install();
    await page.goto("/articles");
    await hydrated(page);
    await page.route("**/lists/**", (route) => route.abort());
    // What is announced stays.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_000);
    await textField(page).fill("neither");
    await page.clock.runFor(100);
    await expect(page).toHaveURL("/articles?q=neither");
    // In steps: the page is drawn after its address changes.
    for (let step = 0; step < 20; step++) await page.clock.runFor(100);
    await expect(page.locator("[aria-live=polite]")).toHaveText("");
  });
});

test("the search bar breaks early enough for its fields, and leaves the results on the screen", async ({
  page,
  site,
}) => {
  await arrange(site);
  await page.setViewportSize({ width: 640, height: 900 });
  await page.goto("/useful-links");
  expect((await textField(page).boundingBox())?.width).toBeGreaterThan(300);
  await page.setViewportSize({ width: 360, height: 740 });
  expect((await authorField(page).boundingBox())?.y).toBe((await sortField(page).boundingBox())?.y);
  expect((await page.getByRole("article").first().boundingBox())?.y).toBeLessThan(480);
});

test("what else an address says stays until another search takes its place", async ({ page, site }) => {
  await arrange(site);
  await page.goto("/articles?q=article%20first&from=letter");
  await hydrated(page);
  await textField(page).focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Shift");
  expect(new URL(page.url()).search).toBe("?q=article%20first&from=letter");
  await page.keyboard.press("Backspace");
  await expect(page).toHaveURL("/articles?q=article+firs");
});

test("Enter keeps the result where it is", async ({ page, site }) => {
  await arrange(site);
  await page.goto("/articles");
  await textField(page).fill("first");
  await textField(page).press("Enter");
  await expect(page).toHaveURL("/articles?q=first");
  await expectTitles(page).toEqual(["Article first"]);
  await expect(textField(page)).toHaveValue("first");
});

test("what is typed before the application has arrived is kept, and answered", async ({ page, site }) => {
  await arrange(site);
  const deliver = await holdScripts(page);
  await page.goto("/articles");
  await authorField(page).fill("LOVE");
  await sortField(page).selectOption("asc");
  await textField(page).pressSequentially("fir");
  await expect(page.locator("html[data-ready]")).toHaveCount(0);

  deliver();
  await page.locator("html[data-ready]").waitFor();
  // The hands are still on the keys.
  await page.keyboard.type("st-");
  await expect(textField(page)).toHaveValue("first-");
  await expect(authorField(page)).toHaveValue("LOVE");
  await expect(sortField(page)).toHaveValue("asc");
  await expectTitles(page).toEqual(["Article first"]);
  await expect.poll(() => new URL(page.url()).search).toBe("?q=first-&author=LOVE&sort=asc");
});

test("once the list is here, it is searched without a line as well", async ({ page, context, site }) => {
  await arrange(site);
  await page.goto("/articles");
  await hydrated(page);
  const whole = page.waitForResponse(/all=true/);
  await textField(page).focus();
  await (await whole).finished();
  await context.setOffline(true);
  await textField(page).fill("SECOND-content");
  await expectTitles(page).toEqual(["Article second"]);
  await textField(page).fill("");
  await sortField(page).selectOption("asc");
  await expectTitles(page).toEqual(["Article first", "Article second"]);
  await authorField(page).fill("love");
  await expectTitles(page).toEqual(["Article first"]);
  await expect(page).toHaveURL("/articles?author=love&sort=asc");
});

test("a search by address is answered in the document itself", async ({ page, site }) => {
  await arrange(site);
  for (const [address, titles] of [
    ["/articles?q=FIRST", ["Article first"]],
    ["/articles?author=grace", ["Article second"]],
    ["/articles?sort=asc", ["Article first", "Article second"]],
    ["/articles?q=window&author=ada&sort=asc&page=3", ["Article first"]],
    ["/articles?q=nothing", []],
    ["/sample-code?q=%25_%5C", ["Sample second", "Sample first"]],
    ["/useful-links?q=category&sort=sideways", ["Link second", "Link first"]],
  ] as const) {
    await page.goto(address);
    expect(await shownTitles(page), address).toEqual(titles);
  }
});
