import { KINDS } from "../../../common/kinds/index.ts";
import { addItem, fillIn, LINKS, openForm, SAMPLES } from "../../support/forms.ts";
import { expect, test } from "../../support/site.ts";
import { cardOf } from "../../support/visiting.ts";

test("the actions on an owner's cards are in a fixed order and within the page at widths from 320 to 1280 pixels", async ({
  page,
  site,
  member,
}) => {
  // Articles and code samples have the same actions. Links have no file.
  for (const form of [LINKS, SAMPLES]) {
    const { id } = await addItem(site, form, member.id, "Mine");
    const file = form.table === "useful_links" ? [] : ["Raw"];
    const names = ["Copy link to Mine", "Permalink to Mine", ...file, "Edit Mine", "Delete Mine"];
    for (const path of [form.path, `${form.path}/${id}`]) {
      await page.goto(path);
      const card = cardOf(page, id);
      await card.getByRole("button", { name: "Delete Mine" }).waitFor();
      const actions = card.locator(".tool");
      for (const [index, name] of names.entries()) {
        await expect(actions.nth(index)).toHaveAccessibleName(name);
        await expect(actions.nth(index).locator("svg").or(actions.nth(index))).not.toHaveCount(0);
      }
      for (const width of [320, 390, 768, 1280]) {
        const where = `${path} at ${width} pixels`;
        await page.setViewportSize({ width, height: 800 });
        await actions.first().scrollIntoViewIfNeeded();
        const boxes = await actions.evaluateAll((all) =>
          all.map((one) => {
            const { top, left, right } = one.getBoundingClientRect();
            return { top, left, right };
          }),
        );
        expect(boxes).toHaveLength(names.length);
        for (const [index, { top, left, right }] of boxes.entries()) {
          expect(right, where).toBeLessThanOrEqual(width);
          const before = boxes[index - 1];
          if (before) expect(top > before.top || left >= before.right, `${where}, reading order`).toBe(true);
        }
        if (width >= 640) continue;
        for (const label of ["Edit", "Delete"])
          await expect(card.getByText(label, { exact: true }), `${where}, label`).toBeVisible();
        const [edit, remove] = boxes.slice(-2);
        const gap = remove && edit && (remove.top > edit.top ? Infinity : remove.left - edit.right);
        expect(gap, `${where}: a finger that misses Edit doesn't press Delete`).toBeGreaterThan(16);
      }
    }
  }
});

test("a new item scrolls into view and is highlighted in the list", async ({ page, site, member }) => {
  const own = { profile_id: member.id, ...LINKS.row };
  const rows = Array.from({ length: 8 }, (_, index) => ({ ...own, title: `Before ${index}` }));
  await site.admin.from("useful_links").insert(rows).throwOnError();
  await page.setViewportSize({ width: 1280, height: 700 });
  await openForm(page, LINKS);
  await fillIn(page, LINKS, "Brand new");
  await page.getByRole("button", { name: LINKS.createButton }).click();
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

test("a signed-in member's top bar shows every link, on one row from a width of 640 pixels and in less than 100 pixels at a width of 320", async ({
  page,
  member: _signedIn,
}) => {
  await page.goto("/articles");
  await page.getByRole("button", { name: "Sign Out" }).waitFor();
  for (const width of [320, 640, 768, 1280]) {
    await page.setViewportSize({ width, height: 600 });
    const height = (await page.getByRole("banner").boundingBox())?.height;
    expect(height, `${width} pixels`).toBeLessThan(width < 640 ? 100 : 80);
    for (const name of [...KINDS.map((kind) => kind.name), "Profile"]) {
      const link = page.getByRole("banner").getByRole("link", { name, exact: true });
      await expect(link, `${width} pixels`).toBeInViewport({ ratio: 1 });
    }
  }
});

test("an empty list shows visitors a link to sign in, and members the form", async ({
  page,
  signIn,
  site,
}) => {
  expect(await (await page.request.get("/articles")).text()).toContain("Sign in to add the first");
  await signIn(await site.addMember());
  await page.goto("/articles");
  await expect(page.getByRole("heading", { name: "Create New Article" })).toBeInViewport();
  await expect(page.getByRole("link", { name: "Sign in to add the first" })).toBeHidden();
});
