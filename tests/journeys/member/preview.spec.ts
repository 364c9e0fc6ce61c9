import type { Locator, Page } from "@playwright/test";
import { ARTICLES, addItem, field, openForm, startEditing, storedTitles } from "../../support/forms.ts";
import { expect, test } from "../../support/site.ts";

const preview = (page: Page) => page.getByRole("region", { name: "Preview" });

/**
 * Returns the HTML of the rendered Markdown, for comparing the preview with the card. Omits the Copy buttons and the
 * attributes for focus, which scripts set differently in the two places.
 */
function renderedIn(prose: Locator): Promise<string> {
  return prose.evaluate((element) => {
    const copy = element.cloneNode(true) as Element;
    for (const button of copy.querySelectorAll("button")) button.remove();
    for (const box of copy.querySelectorAll("pre, .table-scroll")) {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    }
    return copy.innerHTML;
  });
}

test.beforeEach(({ member: _signedIn }) => undefined);

test("the preview renders the article exactly like its card, and scrolls along with the text field, which grows with its text, while the search bar does not stick to the top", async ({
  page,
}) => {
  await page.goto("/articles");
  const text =
    "## Joins\n\nSome **bold** words & signs\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```sql\nselect 1;\n```\n\n- [x] done";
  await field(page, "Title").fill("Joins");
  await field(page, "Content (Markdown)").fill(text);
  await expect(preview(page).getByRole("heading", { name: "Joins" })).toBeVisible();
  await expect(preview(page).getByRole("table")).toBeVisible();
  const shown = await renderedIn(preview(page).locator(".prose"));
  await page.getByRole("button", { name: "Create Article" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  expect(await renderedIn(page.getByRole("article").locator(".prose"))).toBe(shown);
  await expect(preview(page).locator(".prose"), "an empty form has an empty preview").toHaveCount(0);

  await test.step("a long text", async () => {
    const search = page.getByRole("search");
    const position = () => search.evaluate((element) => getComputedStyle(element).position);
    expect(await position()).toBe("sticky");
    const area = field(page, "Content (Markdown)");
    const heightOf = async () => (await area.boundingBox())?.height ?? 0;
    const before = await heightOf();
    await area.fill(Array.from({ length: 80 }, (_, line) => `Paragraph ${line}\n`).join("\n"));
    await expect.poll(heightOf).toBeGreaterThan(before + 100);
    expect(await position()).toBe("static");

    // Scroll down, because the end of the preview may be below the bottom of the window.
    await preview(page).evaluate((section) => section.scrollIntoView({ block: "end" }));
    await expect(preview(page).getByText("Paragraph 79"), "the caret is at the end").toBeInViewport();
    await area.evaluate((area) => area.scrollTo(0, 0));
    await expect(preview(page).getByText("Paragraph 0", { exact: true })).toBeInViewport();
    await area.evaluate((area) => area.scrollTo(0, area.scrollHeight));
    await expect(preview(page).getByText("Paragraph 79")).toBeInViewport();
  });
});

test("the preview shows an article when the member starts to edit it, updates while they type, and removes dangerous HTML", async ({
  page,
  site,
  member,
}) => {
  await addItem(site, ARTICLES, member.id, "Mine");
  await page.goto("/articles");
  await startEditing(page, ARTICLES, "Mine");
  await expect(preview(page).getByText("emphasis")).toBeVisible();
  await field(page, "Content (Markdown)").fill("one");
  await expect(preview(page)).toContainText("one");
  await field(page, "Content (Markdown)").pressSequentially(" two three");
  await expect(preview(page)).toContainText("one two three");

  await test.step("an article of more than 100,000 characters gets no preview", async () => {
    await field(page, "Content (Markdown)").fill("word ".repeat(20_001));
    await expect(preview(page)).toContainText("This text is too long for a preview.");
    await field(page, "Content (Markdown)").fill("short");
    await expect(preview(page)).toContainText("short");
  });

  await test.step("HTML with event handlers and javascript: URLs are removed", async () => {
    await field(page, "Content (Markdown)").fill(
      '<img src=x onerror="window.hurt=1"> [bad](javascript:window.hurt=1) [good](https://example.com/)',
    );
    const links = preview(page).getByRole("link");
    await expect(preview(page).getByRole("link", { name: "good" })).toHaveAttribute(
      "href",
      "https://example.com/",
    );
    await expect(preview(page).locator('[href^="javascript"], img')).toHaveCount(0);
    expect(await links.count()).toBeLessThanOrEqual(2);
    expect(await page.evaluate(() => "hurt" in window)).toBe(false);
  });
});

test("in the preview, wide code and tables wrap, the Tab key skips it, and its links open in a new tab", async ({
  page,
}) => {
  await page.goto("/articles");
  const line = "a long line of code ".repeat(30);
  const cells = Array.from({ length: 12 }, (_, index) => `column_${index}`);
  const row = (texts: string[]) => `| ${texts.join(" | ")} |`;
  const table = [row(cells), row(cells.map(() => "-")), row(cells)].join("\n");
  await field(page, "Content (Markdown)").fill(
    `[a link](https://example.com/)\n\n\`\`\`\n${line}\n\`\`\`\n\n${table}\n\n${"Text.\n\n".repeat(50)}`,
  );
  await expect(preview(page).getByRole("link")).toHaveAttribute("target", "_blank");
  await expect(preview(page).getByRole("table")).toBeVisible();
  for (const box of ["pre", ".table-scroll"]) {
    const beyond = await preview(page)
      .locator(box)
      .evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(beyond, box).toBe(0);
  }
  await field(page, "Content (Markdown)").focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Add Picture" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("Publish article")).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(field(page, "Content (Markdown)")).toBeFocused();
});

test("the preview falls back to plain text if parsing takes too long, and never blocks typing", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto("/articles");
  const workerStarted = page.waitForEvent("worker");
  // The Markdown parser is extremely slow on this text, so it is still running while the member types the title.
  await field(page, "Content (Markdown)").fill("*a_ ".repeat(20_000));
  await workerStarted;
  await field(page, "Title").pressSequentially("Still fluent");
  await expect(field(page, "Title")).toHaveValue("Still fluent");
  await expect(
    preview(page).locator(".prose, p.whitespace-pre-wrap"),
    "the parser is still running",
  ).toHaveCount(0);
  await page.clock.fastForward(10_000);
  await expect(preview(page).locator("p.whitespace-pre-wrap")).toBeVisible();
  await field(page, "Content (Markdown)").fill("# Fine again");
  await expect(preview(page).getByRole("heading", { name: "Fine again" })).toBeVisible();
});

test.describe("the preview when its code can't be loaded", () => {
  test.use({ expectedProblems: [/Failed to load resource/] });

  test("an article can be saved even if the preview's code can't be loaded", async ({ page, site }) => {
    await page.goto("/articles");
    await page.route(/\/assets\/markdown-preview-.*\.js$/, (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) =>
      request.url().includes("markdown-preview"),
    );
    await field(page, "Title").fill("Without a preview");
    await field(page, "Content (Markdown)").fill("Text");
    await failed;
    await page.getByRole("button", { name: "Create Article" }).click();
    await expect.poll(() => storedTitles(site, ARTICLES)).toEqual(["Without a preview"]);
    await expect(page.getByRole("article")).toHaveCount(1);
  });
});

test("in the code field, Tab indents and Enter keeps the indentation, and the keyboard can leave an empty or a filled field", async ({
  page,
}) => {
  await page.goto("/sample-code");
  const code = field(page, "Code");
  const addSample = page.getByRole("button", { name: "Add Sample" });

  await test.step("Tab leaves an empty field, and the description explains how to leave a filled one", async () => {
    await expect(code).toHaveAccessibleDescription(
      "Tab indents. To leave the field, press Escape and then Tab.",
    );
    await field(page, "Language").focus();
    for (const control of [code, addSample]) {
      await page.keyboard.press("Tab");
      await expect(control).toBeFocused();
    }
    await expect(code).toHaveValue("");
  });

  await test.step("Tab indents a filled field, but after Escape it leaves the field", async () => {
    await code.fill("if x:\n");
    await code.press("Control+End");
    await code.press("Tab");
    await expect(code).toBeFocused();
    await code.pressSequentially("y()");
    await expect(code).toHaveValue("if x:\n  y()");
    await code.press("Escape");
    await code.press("Tab");
    await expect(addSample).toBeFocused();
  });

  await test.step("Enter keeps the indentation, and Tab indents Python by four spaces", async () => {
    await field(page, "Language").selectOption("python");
    await code.fill("");
    await code.pressSequentially("if x:\n");
    await code.press("Tab");
    await code.pressSequentially("y()\nz()");
    await expect(code).toHaveValue("if x:\n    y()\n    z()");
  });

  await test.step("Tab indents the selected lines and keeps them selected", async () => {
    await code.fill("one\n\ntwo\nthree");
    await code.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(1, 7));
    await code.press("Tab");
    await expect(code).toHaveValue("    one\n\n    two\nthree");
    await code.press("Tab");
    await expect(code).toHaveValue("        one\n\n        two\nthree");
    await code.press("Control+z");
    await expect(code).toHaveValue("    one\n\n    two\nthree");
  });
});

test("in the Markdown field, shortcuts format selected text, a pasted URL turns it into a link, and Enter continues a list", async ({
  page,
}) => {
  await page.goto("/articles");
  const text = field(page, "Content (Markdown)");

  await test.step("shortcuts are described, and Ctrl+Z undoes each change", async () => {
    await expect(text).toHaveAccessibleDescription(/(Ctrl|⌘)\+B bold, .*\+I italic, .*\+K link/);
    await expect(page.getByText(/^or (Ctrl|⌘)\+Enter$/)).toBeVisible();
    await text.fill("word");
    for (const [shortcut, formatted] of [
      ["Control+b", "**word**"],
      ["Control+i", "*word*"],
      ["Control+k", "[word](https://)"],
    ] as const) {
      await text.press("Control+a");
      await text.press(shortcut);
      await expect(text).toHaveValue(formatted);
      await text.press("Control+z");
      await expect(text).toHaveValue("word");
    }
  });

  await test.step("a URL pasted over selected text turns the text into a link", async () => {
    await text.fill("the manual");
    await text.press("Control+a");
    await text.evaluate((area) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "https://example.test/a_(b)");
      area.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    await expect(text).toHaveValue("[the manual](https://example.test/a_%28b%29)");
  });

  await test.step("formatted text becomes Markdown, one Undo removes it, and code is pasted by the browser", async () => {
    const paste = (html: string, plain: string) =>
      text.evaluate(
        (area, [html, plain]) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/html", html);
          clipboardData.setData("text/plain", plain);
          const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
          return area.dispatchEvent(event);
        },
        [html, plain] as const,
      );
    const html = "<h2>Plans</h2><p>Some <b>bold</b> words<img src='file:///a.png'></p><script>x</script>";
    await text.fill("Before ");
    await paste(html, "Plans\n\nSome bold words");
    await expect(text).toHaveValue("Before ## Plans\n\nSome **bold** words");
    await expect(page.getByText("The pasted text lacks a picture of its document.")).toBeVisible();
    await text.press("Control+z");
    await expect(text).toHaveValue("Before ");
    await text.fill("```\n");
    expect(await paste(html, "in a code block"), "whether the browser pastes the plain text").toBe(true);
    await text.fill("");
    const code = "<pre style='font-family:monospace'><b>def</b> f():</pre>";
    await paste(code, "def f():");
    await expect(text).toHaveValue("def f():");
  });

  await test.step("Enter continues a list, or ends it if the item is empty", async () => {
    await text.fill("");
    await text.pressSequentially("9. nine\nten\n");
    await text.press("Enter");
    await text.pressSequentially("- [x] done\nto do");
    await expect(text).toHaveValue("9. nine\n10. ten\n- [x] done\n- [ ] to do");
  });
});

test.describe("the Markdown field on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("buttons above the keyboard format the text, and stay while the field has the focus", async ({
    page,
  }) => {
    await openForm(page, ARTICLES);
    const text = field(page, "Content (Markdown)");
    const bar = page.getByRole("toolbar", { name: "Formatting" });
    const press = (name: string) => bar.getByRole("button", { name, exact: true }).tap();
    await expect(bar).toHaveCount(0);
    await text.tap();
    await expect(bar).toBeInViewport({ ratio: 1 });

    await press("Bold");
    await page.keyboard.type("bold");
    await press("Bold");
    await page.keyboard.type(" ");
    await press("Italic");
    await page.keyboard.type("slanted");
    await press("Italic");
    await page.keyboard.type(" ");
    await press("Code");
    await page.keyboard.type("x");
    await press("Code");
    await expect(text).toBeFocused();
    await expect(text).toHaveValue("**bold** *slanted* `x`");

    await text.fill("one\ntwo");
    await text.press("Control+a");
    await press("List");
    await expect(text).toHaveValue("- one\n- two");
    await press("List");
    await expect(text).toHaveValue("one\ntwo");
    await press("Code");
    await expect(text).toHaveValue("```\none\ntwo\n```");
    await text.fill("words");
    await text.press("Control+a");
    await press("Link");
    await expect(text).toHaveValue("[words](https://)");
    const chooser = page.waitForEvent("filechooser");
    await press("Picture");
    await chooser;

    await field(page, "Title").tap();
    await expect(bar).toHaveCount(0);
  });
});

test("an author sees a saved text formatted while the server is still busy, and other readers' pages format it by themselves", async ({
  page,
  browser,
  site,
  member,
}) => {
  const NOTE = "The formatting follows in a moment.";
  const { id } = await site.add("articles", { author_id: member.id, title: "Revised", content: "x" });
  await page.goto(`/articles/${id}`);
  await page.getByRole("button", { name: "Edit Revised" }).click();
  const paragraph = `With **many** words${", and more".repeat(40)}.\n\n`;
  await field(page, "Content (Markdown)").fill(paragraph.repeat(120));
  // The server renders this author's texts one after the other, and needs seconds for the first.
  await site.add("articles", { author_id: member.id, title: "Slow", content: "*a_ ".repeat(12_000) });
  const visitor = await browser.newPage();
  await visitor.goto(`${site.url}/articles`);

  await test.step("the author sees a text of 50 kB on its own page", async () => {
    await page.getByRole("button", { name: "Update Article" }).click();
    await expect(page.getByRole("article").locator("strong")).toHaveCount(120);
    await expect(page.getByRole("article")).not.toContainText(NOTE);
  });
  const ownPage = await browser.newPage();
  await ownPage.goto(page.url());
  await expect(ownPage.getByRole("article")).toContainText(NOTE);
  await expect(ownPage.getByRole("article")).toContainText("With **many** words");

  const cardOn = (target: Page) => target.getByRole("article").filter({ hasText: "With strong words" });
  await test.step("the author sees a new text in the list", async () => {
    await page.goto("/articles");
    await field(page, "Title").fill("Just saved");
    await field(page, "Content (Markdown)").fill("# A heading\n\nWith **strong** words");
    await page.getByRole("button", { name: "Create Article" }).click();
    await expect(cardOn(page).locator("strong")).toHaveText("strong");
    await expect(cardOn(page)).not.toContainText(NOTE);
  });
  await visitor.goto(`${site.url}/articles`);
  const pending = visitor.getByRole("article").filter({ hasText: "Just saved" });
  await expect(pending).toContainText(NOTE);
  await expect(pending).toContainText("With **strong** words");

  await test.step("other readers' pages show the formatted texts once the server has rendered them", async () => {
    await expect(pending.locator("strong")).toHaveText("strong", { timeout: 45_000 });
    await expect(pending).not.toContainText(NOTE);
    await expect(ownPage.getByRole("article").locator("strong")).toHaveCount(120, { timeout: 45_000 });
    await expect(ownPage.getByRole("article")).not.toContainText(NOTE);
  });
  const saved = await pending.locator(".prose").innerHTML();
  await page.reload();
  await expect.poll(() => cardOn(page).locator(".prose").innerHTML()).toBe(saved);
  await Promise.all([visitor.close(), ownPage.close()]);
});
