import type { Page } from "@playwright/test";
import { addManyItems } from "../../support/many-items.ts";
import { expect, type Site, test } from "../../support/site.ts";
import {
  expectTitles,
  gotoRendered,
  headingsIn,
  holdScripts,
  hydrated,
  shownTitles,
} from "../../support/visiting.ts";

const onDay = (number: number) => new Date(Date.UTC(2026, 2, number, 12)).toISOString();
const textField = (page: Page) => page.getByRole("searchbox", { name: "Search", exact: true });
const authorField = (page: Page) => page.getByRole("searchbox", { name: "Search by author", exact: true });
const sortField = (page: Page) => page.getByRole("combobox", { name: "Sort", exact: true });

/**
 * Adds two members, each with one item of each kind. Most words occur in only one field, so that a match shows which
 * field was searched.
 */
async function addContent(site: Site): Promise<void> {
  const owners = await site.addMembers([
    { username: "countess", full_name: "Ada Lovelace" },
    { username: "amazing.grace", full_name: "" },
  ]);
  const rows = owners.map((owner, number) => ({
    owner,
    mark: number === 0 ? "first" : "second",
    created_at: onDay(number + 1),
  }));
  await site.admin
    .from("articles")
    .insert(
      rows.map(({ owner, mark, created_at }) => ({
        author_id: owner,
        title: `Article ${mark}`,
        content: `Ünïcode **Window** functions ${mark}-content`,
        created_at,
      })),
    )
    .throwOnError();
  await site.admin
    .from("useful_links")
    .insert(
      rows.map(({ owner, mark, created_at }) => ({
        profile_id: owner,
        title: `Link ${mark}`,
        url: "https://hidden-address.example",
        description: `A ${mark}-description`,
        category: `${mark}-Category`,
        created_at,
      })),
    )
    .throwOnError();
  await site.admin
    .from("code_samples")
    .insert(
      rows.map(({ owner, mark, created_at }) => ({
        profile_id: owner,
        title: `Sample ${mark}`,
        description: `A ${mark}-description`,
        language: "yaml",
        code_content: `key: ${mark}-code 100%_\\`,
        created_at,
      })),
    )
    .throwOnError();
}

const SEARCHES = [
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
  ["/articles?author=LOVELACE", "", ["Article first"]],
  ["/articles?author=countess", "", ["Article first"]],
  ["/articles?author=Amazing.G", "", ["Article second"]],
  ["/articles?author=a", "", ["Article second", "Article first"]],
  ["/articles?author=nobody", "", []],
  ["/articles?author=ada", "second", []],
  ["/articles?sort=asc", "", ["Article first", "Article second"]],
  ["/articles?author=ada&sort=asc&page=3", "window", ["Article first"]],
  ["/useful-links?sort=sideways", "category", ["Link second", "Link first"]],
] as const;

test("each list's search ignores case and covers only the fields specified for that list, and its author filter the full name and the username", async ({
  request,
  site,
}) => {
  await addContent(site);
  for (const [path, text, titles] of SEARCHES) {
    const address = new URL(path, site.url);
    if (text) address.searchParams.set("q", text);
    const html = await (await request.get(address.href)).text();
    expect(headingsIn(html), `${text} on ${path}`).toEqual(titles);
    if (titles.length === 0) expect(html).toMatch(/No [a-z ]+ found matching your search criteria\./);
  }
});

/** Returns the highlighted strings in page order. */
function highlightedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...(CSS.highlights.get("search") ?? [])].map((hit) => {
      const range = document.createRange();
      range.setStart(hit.startContainer, hit.startOffset);
      range.setEnd(hit.endContainer, hit.endOffset);
      return range.toString();
    }),
  );
}

function expectHighlighted(page: Page) {
  return expect.poll(() => highlightedTexts(page), { intervals: [25, 50, 100] });
}

test("matches in titles and content are highlighted while the reader types, without changes to the markup", async ({
  page,
  site,
}) => {
  await addContent(site);
  await gotoRendered(page, "/articles");
  await hydrated(page);
  const cards = () => page.locator(".paged-list").innerHTML();
  const before = await cards();
  await textField(page).fill("WINDOW");
  await expectHighlighted(page).toEqual(["Window", "Window"]);
  expect(await cards()).toBe(before);
  await textField(page).fill("first");
  await expectHighlighted(page).toEqual(["first", "first"]);
  await textField(page).fill("");
  await expectHighlighted(page).toEqual([]);

  await test.step("also when the reader opens a URL that contains a search", async () => {
    for (const [address, hits] of [
      ["/useful-links?q=second", ["second", "second", "second"]],
      ["/sample-code?q=KEY", ["key", "key"]],
    ] as const) {
      await page.goto(address);
      await expectHighlighted(page).toEqual(hits);
    }
  });
});

test("the search field stays in view as the reader scrolls, with the results below it, on a desktop and on a phone, is wider than 300 pixels on a 640-pixel page, and the search bar leaves room for results on a phone", async ({
  page,
  site,
}) => {
  await test.step("it stays in view, and the results appear below it, on a desktop and on a phone", async () => {
    const { id } = await site.addMember({ username: "ada" });
    const rows = Array.from({ length: 30 }, (_, number) => ({
      author_id: id,
      title: `Article ${number}`,
      content: "Long text. ".repeat(200),
      created_at: new Date(Date.UTC(2026, 2, 5, 12, number)).toISOString(),
    }));
    await site.admin.from("articles").insert(rows).throwOnError();
    await page.goto("/articles");
    await hydrated(page);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await textField(page).fill("");
      await expect.poll(async () => (await shownTitles(page))[0]).toBe("Article 29");
      await page.mouse.wheel(0, 3_000);
      await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(2_000);
      await expect(textField(page)).toBeInViewport({ ratio: 1 });
      await textField(page).fill("article 1");
      const first = page.getByRole("heading", { level: 2 }).first();
      await expect.poll(async () => (await shownTitles(page))[0]).toBe("Article 19");
      const [field, heading] = [await textField(page).boundingBox(), await first.boundingBox()];
      expect(heading?.y).toBeGreaterThanOrEqual((field?.y ?? 0) + (field?.height ?? 0));
      await expect(first).toBeInViewport({ ratio: 1 });
    }
  });
  await test.step("it is wider than 300 pixels on a 640-pixel page, and the search bar leaves room for results on a phone", async () => {
    await addContent(site);
    await page.setViewportSize({ width: 640, height: 900 });
    await page.goto("/useful-links");
    expect((await textField(page).boundingBox())?.width).toBeGreaterThan(300);
    await page.setViewportSize({ width: 360, height: 740 });
    expect((await authorField(page).boundingBox())?.y).toBe((await sortField(page).boundingBox())?.y);
    expect((await page.getByRole("article").first().boundingBox())?.y).toBeLessThan(480);
  });
});

test("a reader combines an author, a search and a sort order, Reload, Back and Forward restore them, typing adds no history entry and Enter one, and each entry has its own search fields", async ({
  page,
  site,
}) => {
  await addContent(site);
  await test.step("Reload, Back and Forward restore an author, a search and a sort order from the URL, and typing adds no history entry", async () => {
    await page.goto("/");
    await page.goto("/articles");
    await test.step("the author, the search and the sort order are combined", async () => {
      await authorField(page).fill("ada");
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
      await sortField(page).selectOption("desc");
      await expectTitles(page).toEqual(["Article second", "Article first"]);
    });
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

    // Typing adds no history entries, so one step back leaves the list.
    await page.goBack();
    await expect(page).toHaveURL("/");
    await page.goForward();
    await expect(textField(page)).toHaveValue("window");
    await expectTitles(page).toEqual(["Article first"]);
  });
  await test.step("Enter adds one history entry, and Back and Forward restore the search fields of each entry", async () => {
    await test.step("Enter adds one entry, so Back shows the list without the search", async () => {
      await page.goto("/");
      await page.goto("/articles");
      await hydrated(page);
      await textField(page).fill("first");
      await textField(page).press("Enter");
      await expectTitles(page).toEqual(["Article first"]);
      await expect(page).toHaveURL("/articles?q=first");
      await textField(page).press("Enter");
      await page.goBack();
      await expect(page).toHaveURL("/articles");
      await expectTitles(page).toEqual(["Article second", "Article first"]);
      await expect(textField(page)).toHaveValue("");
      await page.goForward();
      await expectTitles(page).toEqual(["Article first"]);
      await expect(textField(page)).toHaveValue("first");
      await page.goBack();
      await page.goBack();
      await expect(page).toHaveURL("/");
    });
    await page.goto("/articles?q=first&sort=asc");
    await hydrated(page);
    await page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
    await expect(textField(page)).toHaveValue("");
    await expect(sortField(page)).toHaveValue("desc");
    await test.step("even after a letter was typed and deleted", async () => {
      await textField(page).press("f");
      await textField(page).press("Backspace");
      await page.goBack();
      await expect(textField(page)).toHaveValue("first");
      await expectTitles(page).toEqual(["Article first"]);
      await page.goForward();
      await expect(textField(page)).toHaveValue("");
      await expectTitles(page).toEqual(["Article second", "Article first"]);
    });
    await textField(page).fill("second");
    await expectTitles(page).toEqual(["Article second"]);
    await page.goBack();
    await expect(textField(page)).toHaveValue("first");
    await expect(sortField(page)).toHaveValue("asc");
    await expectTitles(page).toEqual(["Article first"]);
    await page.goForward();
    await expect(textField(page)).toHaveValue("second");
    await expectTitles(page).toEqual(["Article second"]);
  });
});

// WebKit allows 100 URL changes in 30 seconds. 40 searches after 200 ms and the following ones after 400 ms are at most 95.
test("a search starts 150 to 250 ms after the last key, but from the 41st search on, only after 400 ms", async ({
  page,
  site,
}) => {
  await addContent(site);
  await page.clock.install();
  await page.goto("/articles");
  await hydrated(page);
  const searches: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(".data")) searches.push(new URL(request.url()).searchParams.get("q") ?? "");
  });
  await textField(page).focus();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_000);
  let typed = "";
  const typeAndPause = async (milliseconds: number) => {
    typed += "x";
    await page.keyboard.insertText("x");
    await page.clock.runFor(milliseconds);
  };
  await typeAndPause(150);
  for (let search = 1; search <= 40; search++) {
    await typeAndPause(150);
    await page.clock.runFor(100);
    await page.waitForURL(`/articles?q=${typed}`);
  }
  expect(searches[0], "only the last text is searched").toBe("xx");
  for (let key = 0; key < 5; key++) await typeAndPause(390);
  await page.clock.runFor(10);
  await page.waitForURL(`/articles?q=${typed}`);
  await expect(textField(page)).toHaveValue(typed);
  expect(searches.slice(40)).toEqual([typed]);
});

test("a word that is composed with an input method is searched once", async ({ page, site }) => {
  await addContent(site);
  await page.goto("/articles");
  await hydrated(page);
  const searches: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(".data")) searches.push(new URL(request.url()).searchParams.get("q") ?? "");
  });
  await page.clock.install();
  await textField(page).focus();
  const keyboard = await page.context().newCDPSession(page);
  for (const text of ["k", "け", "けn", "けん", "けんs", "検索"]) {
    await keyboard.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
    await page.clock.runFor(500);
  }
  await keyboard.send("Input.insertText", { text: "検索" });
  await page.clock.runFor(500);
  await page.waitForURL(`/articles?q=${encodeURIComponent("検索")}`);
  expect(searches).toEqual(["検索"]);
});

test("slow search results neither overwrite typed letters nor take the focus", async ({ page, site }) => {
  await addContent(site);
  await page.goto("/articles");
  await hydrated(page);
  const released = Promise.withResolvers<void>();
  await page.route(/q=fir(&|$)/, (route) => released.promise.then(() => route.continue()));
  const requested = page.waitForRequest(/q=fir(&|$)/);
  await textField(page).pressSequentially("fir");
  await requested;
  await page.keyboard.type("s");
  released.resolve();
  await page.keyboard.type("t-");
  await expect(textField(page)).toHaveValue("first-");
  await expect(textField(page)).toBeFocused();
  await expectTitles(page).toEqual(["Article first"]);
  await expect(page).toHaveURL("/articles?q=first-");
});

test("clicking Articles before or after the search results arrive shows every article and empties the search field, and another list doesn't take over the search", async ({
  page,
  site,
}) => {
  await addContent(site);
  await page.goto("/articles");
  await hydrated(page);
  const titles = ["Article second", "Article first"];
  for (const moment of ["after", "before"]) {
    await test.step(moment, async () => {
      if (moment === "before") await page.route(/q=first/, () => undefined);
      const requested = page.waitForRequest(/q=first/);
      await textField(page).fill("first");
      await requested;
      if (moment === "after") await expectTitles(page).toEqual(["Article first"]);
      const title = `Article added ${moment}`;
      await site.add("articles", { author_id: (await site.addMember()).id, title, content: "New" });
      titles.unshift(title);
      await page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
      await expectTitles(page).toEqual(titles);
      await expect(textField(page)).toHaveValue("");
      await expect(page).toHaveURL("/articles");
    });
  }
  await test.step("another list doesn't take over the search", async () => {
    await page.unroute(/q=first/);
    await textField(page).fill("first");
    await expectTitles(page).toEqual(["Article first"]);
    await page.getByRole("link", { name: "Useful Links" }).click();
    await expect(textField(page)).toHaveValue("");
    await expectTitles(page).toEqual(["Link second", "Link first"]);
    await page.goBack();
    await expect(textField(page)).toHaveValue("first");
    await expectTitles(page).toEqual(["Article first"]);
  });
});

test("the URL contains a search without surrounding spaces and cut to 300 characters, and keeps unknown parameters until the search changes", async ({
  page,
  site,
}) => {
  await addContent(site);
  await page.goto("/articles?q=article%20first&from=letter");
  await hydrated(page);
  await test.step("unknown parameters stay until the search changes", async () => {
    await textField(page).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift");
    expect(new URL(page.url()).search).toBe("?q=article%20first&from=letter");
    await page.keyboard.press("Backspace");
    await expect(page).toHaveURL("/articles?q=article+firs");
  });
  await test.step("spaces are ignored, but stay in the field", async () => {
    await authorField(page).fill("  ");
    await textField(page).fill(" first ");
    await expect(page).toHaveURL("/articles?q=first");
    await expectTitles(page).toEqual(["Article first"]);
    await expect(textField(page)).toHaveValue(" first ");
  });
  await test.step("a search of 20,000 pasted characters is cut to 300, and the server accepts it", async () => {
    await textField(page).fill("");
    await textField(page).focus();
    await page.keyboard.insertText("ü".repeat(20_000));
    await expect(textField(page)).toHaveValue("ü".repeat(300));
    await expect(page).toHaveURL(`/articles?q=${"%C3%BC".repeat(300)}`);
    const response = await page.request.get(page.url());
    expect(response.status()).toBe(200);
    expect(await response.text()).toContain(`value="${"ü".repeat(300)}"`);
  });
});

test("the link to all articles of a member with a blank full name uses the username", async ({
  request,
  site,
}) => {
  const { id } = await site.addMember({ username: "countess", full_name: " " });
  const { id: other } = await site.addMember({ username: "other" });
  await site.add("articles", { author_id: id, title: "Mine", content: "x", published: true });
  await site.add("articles", { author_id: other, title: "Theirs", content: "x", published: true });
  const profile = await (await request.get("/profile/countess")).text();
  expect(profile.replaceAll(/<!--.*?-->|<[^>]*>/g, "")).toContain("All articles by countess");
  const [, address = ""] = /href="(\/articles\?author=[^"]*)"/.exec(profile) ?? [];
  expect(address).toBe("/articles?author=@countess");
  expect(headingsIn(await (await request.get(address)).text())).toEqual(["Mine"]);
});

test("typing a search does not cancel a pending navigation to another page", async ({ page, site }) => {
  await addContent(site);
  await page.clock.install();
  await page.goto("/sample-code");
  await hydrated(page);
  const released = Promise.withResolvers<void>();
  await page.route(/\/articles\.data/, (route) => released.promise.then(() => route.continue()));
  await page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
  await expect(page.getByRole("progressbar", { name: "Loading" })).toBeAttached();
  await textField(page).fill("sample first");
  await page.clock.runFor(400);
  released.resolve();
  await expect(page.getByRole("heading", { level: 1, name: "Articles" })).toBeVisible();
  await expect(page).toHaveURL("/articles");
  await expect(textField(page)).toHaveValue("");
  await expectTitles(page).toEqual(["Article second", "Article first"]);
});

test("the number of results, or that there are none, is announced once typing pauses", async ({
  page,
  site,
}) => {
  await addContent(site);
  await page.clock.install();
  await page.goto("/articles");
  await hydrated(page);
  const announcements = page.locator("[aria-live=polite]");
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_000);
  for (const letter of "first") {
    await textField(page).press(letter);
    await page.clock.runFor(150);
  }
  await page.clock.runFor(150);
  await expect(page).toHaveURL("/articles?q=first");
  await expect(announcements).toHaveText("");
  const announced = async () => {
    // Advance the clock in steps, so that React can render in between.
    await page.clock.runFor(100);
    return announcements.innerText();
  };
  await expect.poll(announced, { intervals: [10] }).toBe("1 result");
  await textField(page).fill("neither");
  const none = "No articles found matching your search criteria.";
  await expect.poll(announced, { intervals: [10] }).toContain(none);
});

test('a search with more results than fit on one page is announced with "More than 48 results"', async ({
  page,
  site,
}) => {
  const { id } = await site.addMember();
  await addManyItems(site.admin, id, 90, ["useful_links"]);
  await page.goto("/useful-links");
  await hydrated(page);
  await textField(page).fill("Link");
  await expect(page.locator("[aria-live=polite]")).toHaveText("More than 48 results");
});

test.describe("searches that fail", () => {
  test.use({ expectedProblems: [/ERR_FAILED/] });

  test("a search that fails announces nothing and leaves the list, its URL and the field unchanged", async ({
    page,
    site,
  }) => {
    await addContent(site);
    await page.clock.install();
    await page.goto("/articles");
    await hydrated(page);
    await page.route(/\.data/, (route) => route.abort());
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_000);
    await textField(page).fill("neither");
    await page.clock.runFor(300);
    // Advance the clock in steps, so that React can render in between.
    for (let step = 0; step < 20; step++) await page.clock.runFor(100);
    await expect(page.locator("[aria-live=polite]")).toHaveText("");
    expect(await shownTitles(page)).toEqual(["Article second", "Article first"]);
    await expect(page).toHaveURL("/articles");
    await expect(textField(page)).toHaveValue("neither");
  });
});

test("before hydration, text typed and a sort order chosen are kept and applied, and searches are sent once, and again when they are typed again", async ({
  page,
  site,
}) => {
  await addContent(site);
  await test.step("text typed and a sort order chosen are kept and applied", async () => {
    const deliver = await holdScripts(page);
    await page.goto("/articles", { waitUntil: "commit" });
    await authorField(page).fill("LOVE");
    await sortField(page).selectOption("asc");
    await textField(page).pressSequentially("fir");

    deliver();
    await hydrated(page);
    await page.keyboard.type("st-");
    await expect(textField(page)).toHaveValue("first-");
    await expect(authorField(page)).toHaveValue("LOVE");
    await expect(sortField(page)).toHaveValue("asc");
    await expectTitles(page).toEqual(["Article first"]);
    await expect.poll(() => new URL(page.url()).search).toBe("?q=first-&author=LOVE&sort=asc");
  });
  await page.unroute(/\/assets\/.*\.js$/);
  await test.step("searches are sent once, and again when they are typed again", async () => {
    const sent: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/articles.data") sent.push(searchParams.get("q") ?? "");
    });
    const deliver = await holdScripts(page);
    await page.goto("/articles", { waitUntil: "commit" });
    for (const text of ["fir", "first"]) {
      const loaded = page.waitForResponse((response) => response.url().includes(`.data?q=${text}&`));
      await textField(page).fill(text);
      await (await loaded).finished();
    }

    deliver();
    await expectTitles(page).toEqual(["Article first"]);
    await expect(page).toHaveURL("/articles?q=first");
    expect(sent).toEqual(["fir", "first"]);
    await textField(page).fill("fir");
    await expect.poll(() => sent).toEqual(["fir", "first", "fir"]);
  });
});
