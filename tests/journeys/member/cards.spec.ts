import { addItem, CONTENT_FORMS, field, fillIn, openForm } from "../../support/forms.ts";
import { expect, test } from "../../support/site.ts";
import { cardOf, hydrated } from "../../support/visiting.ts";

for (const width of [320, 390, 768, 1280]) {
  test(`the actions on an owner's cards are in a fixed order and within the page at a width of ${width} pixels`, async ({
    page,
    site,
    member,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const form of CONTENT_FORMS) {
      const { id } = await addItem(site, form, member.id, "Mine");
      const file = form.table === "useful_links" ? [] : ["Raw"];
      for (const path of [form.path, `${form.path}/${id}`]) {
        await page.goto(path);
        const card = cardOf(page, id);
        await card.getByRole("button", { name: "Delete Mine" }).waitFor();
        const actions = card.locator(".tool");
        await actions.first().scrollIntoViewIfNeeded();
        const names = ["Copy link to Mine", "Permalink to Mine", ...file, "Edit Mine", "Delete Mine"];
        for (const [index, name] of names.entries()) {
          await expect(actions.nth(index)).toHaveAccessibleName(name);
          await expect(actions.nth(index).locator("svg").or(actions.nth(index))).not.toHaveCount(0);
        }
        const boxes = await actions.evaluateAll((all) =>
          all.map((one) => {
            const { top, left, right, width } = one.getBoundingClientRect();
            return { top, left, right, width };
          }),
        );
        for (const [index, { top, left, right }] of boxes.entries()) {
          expect(right, path).toBeLessThanOrEqual(width);
          const before = boxes[index - 1];
          if (before) expect(top > before.top || left >= before.right, "in reading order").toBe(true);
        }
        if (width < 640) {
          await expect(card.getByText("Edit", { exact: true }), "labels on phones").toBeVisible();
          await expect(card.getByText("Delete", { exact: true }), "labels on phones").toBeVisible();
          const [edit, remove] = boxes.slice(-2);
          const gap = remove && edit && (remove.top > edit.top ? Infinity : remove.left - edit.right);
          expect(gap, `${path}: a finger that misses Edit doesn't press Delete`).toBeGreaterThan(16);
        }
      }
    }
  });
}

for (const form of CONTENT_FORMS) {
  test(`${form.path}: a new item scrolls into view and is highlighted in the list`, async ({
    page,
    site,
    member,
  }) => {
    for (let index = 0; index < 8; index++) await addItem(site, form, member.id, `Before ${index}`);
    await page.setViewportSize({ width: 1280, height: 700 });
    await openForm(page, form);
    await fillIn(page, form, "Brand new");
    await page.getByRole("button", { name: form.createButton }).click();
    const title = page.getByRole("article").getByText("Brand new", { exact: true });
    await expect(title).toBeInViewport();
    const marked = page.locator("[data-target]");
    await expect(marked).toHaveCount(1);
    await expect(marked).toContainText("Brand new");
    const background = (name: string) =>
      page
        .getByRole("article")
        .getByText(name, { exact: true })
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await background("Brand new")).not.toBe(await background("Before 7"));
  });
}

for (const width of [640, 768, 1280]) {
  test(`a signed-in member's top bar fits on one row at a width of ${width} pixels`, async ({
    page,
    member: _signedIn,
  }) => {
    await page.setViewportSize({ width, height: 600 });
    await page.goto("/articles");
    await page.getByRole("button", { name: "Sign Out" }).waitFor();
    expect((await page.getByRole("banner").boundingBox())?.height).toBeLessThan(80);
  });
}

test("at a width of 320 pixels, a signed-in member's top bar is less than 100 pixels high and shows every link", async ({
  page,
  member: _signedIn,
}) => {
  await page.setViewportSize({ width: 320, height: 600 });
  await page.goto("/articles");
  await page.getByRole("button", { name: "Sign Out" }).waitFor();
  expect((await page.getByRole("banner").boundingBox())?.height).toBeLessThan(100);
  for (const name of ["Articles", "Useful Links", "Sample Code", "Profile"]) {
    const link = page.getByRole("banner").getByRole("link", { name, exact: true });
    await expect(link).toBeInViewport({ ratio: 1 });
  }
});

test("the article form shows the keyboard shortcuts for formatting and saving", async ({
  page,
  member: _signedIn,
}) => {
  await page.goto("/articles");
  await expect(field(page, "Content (Markdown)")).toHaveAccessibleDescription(
    /(Ctrl|⌘)\+B bold, .*\+I italic, .*\+K link/,
  );
  await expect(page.getByText(/^or (Ctrl|⌘)\+Enter$/)).toBeVisible();
});

test("a long word in a text area does not widen the page on a phone", async ({ page, signIn, site }) => {
  const member = await site.addMember({ username: "long", bio: "Incomprehensibilities".repeat(20) });
  await signIn(member);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/profile");
  await expect(field(page, "Bio")).toHaveValue(/^Incomprehensibilities/);
  await hydrated(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("wide code and tables wrap in the preview instead of scrolling sideways", async ({
  page,
  member: _signedIn,
}) => {
  await page.goto("/articles");
  const cells = Array.from({ length: 12 }, (_, index) => `column_${index}`);
  const row = (texts: string[]) => `| ${texts.join(" | ")} |`;
  const table = [row(cells), row(cells.map(() => "-")), row(cells)].join("\n");
  await field(page, "Content (Markdown)").fill(`\`\`\`\n${"long ".repeat(100)}\n\`\`\`\n\n${table}`);
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview.getByRole("table")).toBeVisible();
  for (const box of ["pre", ".table-scroll"]) {
    const beyond = await preview.locator(box).evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(beyond, box).toBe(0);
  }
});

test("an empty list shows visitors a link to sign in, and members the form", async ({
  page,
  signIn,
  site,
}) => {
  await page.goto("/articles");
  await expect(page.getByRole("link", { name: "Sign in to add the first" })).toBeVisible();
  await signIn(await site.addMember());
  await page.goto("/articles");
  await expect(page.getByRole("heading", { name: "Create New Article" })).toBeInViewport();
  await expect(page.getByRole("link", { name: "Sign in to add the first" })).toBeHidden();
});
