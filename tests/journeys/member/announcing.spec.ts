import type { Page } from "@playwright/test";
import { ARTICLES, addItem, fillIn, LINKS, openForm, startEditing } from "../../support/forms.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { hydrated, idle } from "../../support/visiting.ts";

/** Records what live regions say from now on, in order. A region must exist before its text, or nothing is spoken. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const spoken: string[] = [];
    Object.assign(window, { spoken });
    const observer = new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest("[aria-live], [role=status], [role=alert]");
        if (!region || region.getAttribute("aria-live") === "off") continue;
        for (const node of addedNodes) spoken.push(node.textContent ?? "");
      }
    });
    observer.observe(document.body, { subtree: true, childList: true });
  });
  return () => page.evaluate(() => (window as unknown as { spoken: string[] }).spoken);
}

const click = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

type Action = [name: string, act: (page: Page) => Promise<unknown>, spoken: string[]];

const ACTIONS: Record<string, Action[]> = {
  "/articles": [
    [
      "saving a new item",
      async (page) => {
        await fillIn(page, ARTICLES, "Sound check");
        await click(page, ARTICLES.createButton);
      },
      ["Saved Sound check"],
    ],
    [
      "changing an item",
      async (page) => {
        await startEditing(page, ARTICLES, "Sound check");
        await page.getByLabel("Title", { exact: true }).press("Control+Enter");
        await page.getByRole("heading", { name: ARTICLES.createHeading }).waitFor();
      },
      ["Saved Sound check"],
    ],
    [
      "formatting text",
      async (page) => {
        await page.getByLabel("Content (Markdown)").focus();
        for (const key of ["B", "I", "K"]) await page.keyboard.press(`Control+${key}`);
      },
      ["Bold", "Italic", "Link"],
    ],
  ],
  "/useful-links": [
    [
      "deleting an item, then undoing it",
      async (page) => {
        await click(page, "Delete Mine");
        await click(page, "Undo");
      },
      ['Deleted "Mine". Press Undo to restore it.', "Restored Mine"],
    ],
    ["sorting a list", (page) => page.getByLabel("Sort").selectOption("asc"), ["Sorted by oldest first"]],
  ],
  "/profile": [
    [
      "adding a skill",
      async (page) => {
        await page.getByLabel("Skill Name").fill("Views");
        await click(page, "Add Skill");
      },
      ["Added Views"],
    ],
    [
      "changing a skill",
      async (page) => {
        await click(page, "Edit Joins");
        await page.keyboard.press("Control+A");
        await page.keyboard.type("Outer joins");
        await page.keyboard.press("Enter");
      },
      ["Saved Outer joins"],
    ],
    [
      "deleting a skill, then undoing it",
      async (page) => {
        await click(page, "Delete Outer joins");
        await click(page, "Undo");
      },
      ['Deleted "Outer joins". Press Undo to restore it.', "Restored Outer joins"],
    ],
    [
      "saving the profile",
      async (page) => {
        page.once("dialog", (dialog) => dialog.accept());
        await click(page, "Save Profile");
      },
      ["Profile updated successfully!"],
    ],
  ],
};

async function addOwnRows(site: Site, id: string) {
  await addItem(site, LINKS, id, "Mine");
  const skill = { category: "sql", name: "Joins", proficiency: 5, years_experience: 2 } as const;
  await site.add("skills", { profile_id: id, ...skill });
}

test("each result of an action is announced once, in a live region that exists beforehand", async ({
  page,
  site,
  member,
}) => {
  await addOwnRows(site, member.id);
  for (const [path, actions] of Object.entries(ACTIONS)) {
    await page.goto(path);
    await hydrated(page);
    await page.locator("form:has(fieldset)").first().waitFor();
    const heard = await listen(page);
    const expected: string[] = [];
    for (const [name, act, spoken] of actions) {
      await test.step(`on ${path}: ${name}`, async () => {
        await act(page);
        expected.push(...spoken);
        await expect.poll(heard).toEqual(expected);
      });
    }
    // A second announcement of a result makes the next step fail. Wait for the end of the last step.
    await idle(page);
    expect(await heard()).toEqual(expected);
  }
});

test("a sign-in and, on arrival, an unsent draft are announced, and the draft's buttons are described by its title", async ({
  page,
  site,
}) => {
  await test.step("a sign-in is announced", async () => {
    const { email, password } = await site.addMember();
    await page.goto("/profile");
    await hydrated(page);
    const heard = await listen(page);
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await expect.poll(heard).toEqual(["You are signed in."]);
    await expect(page.getByRole("heading", { name: "Profile", exact: true })).toBeFocused();
  });
  await test.step("an unsent draft is announced on arrival, and its buttons are described by its title", async () => {
    await openForm(page, ARTICLES);
    await fillIn(page, ARTICLES, "Half a thought");
    await page.goto("/");
    await hydrated(page);
    const heard = await listen(page);
    await page.getByRole("banner").getByRole("link", { name: "Articles", exact: true }).click();
    await expect.poll(heard).toContain("You have an unsent draft: Half a thought");
    for (const name of ["Restore", "Discard"]) {
      await expect(page.getByRole("button", { name })).toHaveAccessibleDescription(
        "You have an unsent draft: Half a thought",
      );
    }
  });
});

test("levels of skills, hidden skills and buttons that copy code have names in words", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember({
    username: "tomasz",
    full_name: "Tomasz",
    current_title: "DBA",
    featured: true,
  });
  for (let number = 1; number <= 9; number++) {
    const skill = { category: "sql", name: `Skill ${number}`, proficiency: 5, years_experience: 2 } as const;
    await site.add("skills", { profile_id: id, ...skill });
  }
  const content = "```sql\nselect 1;\n```\n\n```\nplain\n```";
  const article = await site.add("articles", { author_id: id, title: "Code", content, published: true });
  await page.goto("/");
  await expect(
    page.getByRole("list", { name: "Skills of Tomasz" }).getByRole("listitem").first(),
  ).toMatchAriaSnapshot('- listitem: "SQL: Skill 1 proficiency 5 of 5"');
  await expect(page.locator("summary")).toHaveText("1 more skill of Tomasz");
  await page.goto(`/articles/${article.id}`);
  const buttons = page.getByRole("button", { name: "Copy code", exact: true });
  await expect(buttons.first()).toHaveAccessibleDescription("sql");
  await expect(buttons.last()).toHaveAccessibleDescription("");
});
