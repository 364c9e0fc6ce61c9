import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Download, Page } from "@playwright/test";
import { zipTexts } from "../../../app/portability/export/archive.ts";
import { violations } from "../../support/axe.ts";
import { FAILED_REQUESTS, failWrites, holdWrites } from "../../support/forms.ts";
import type { Member } from "../../support/members.ts";
import { makePng } from "../../support/pictures.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { translate } from "../../support/visiting.ts";

const section = (page: Page) => page.getByRole("region", { name: "Your Content" });

async function openProfile(page: Page): Promise<void> {
  await page.goto("/profile");
  await expect(section(page).getByRole("button", { name: "Download My Content" })).toBeVisible();
}

async function download(page: Page): Promise<Download> {
  const started = page.waitForEvent("download");
  await section(page).getByRole("button", { name: "Download My Content" }).click();
  const file = await started;
  await expect(section(page)).toContainText("Your download is ready.");
  return file;
}

async function chooseFiles(page: Page, files: Record<string, string | Buffer> | string): Promise<void> {
  const chosen =
    typeof files === "string"
      ? files
      : Object.entries(files).map(([name, content]) => ({
          name,
          mimeType: "application/octet-stream",
          buffer: Buffer.from(content),
        }));
  await section(page).getByLabel("Import Content").setInputFiles(chosen);
}

async function importAll(page: Page, count: number): Promise<void> {
  await section(page)
    .getByRole("button", { name: `Import ${count} Items`, exact: true })
    .click();
  await expect(section(page)).toContainText(`Imported ${count} ${count === 1 ? "item" : "items"}.`, {
    timeout: 30_000,
  });
}

async function articlesOf(site: Site, { id }: Member) {
  const columns = "id,title,content,published,created_at";
  const { data } = await site.admin
    .from("articles")
    .select(columns)
    .eq("author_id", id)
    .order("title")
    .throwOnError();
  return data;
}

const TRICKY_CONTENT = "---\r\ntitle: not mine\r\n---\r\n\r\n# No newline at the end";

/** Adds a member with a profile, a skill and at least one item of each kind. */
async function addAuthor(site: Site): Promise<Member> {
  const member = await site.addMember({ username: "ada", full_name: "Ada Marlowe", company: "Northwind" });
  const owner = { profile_id: member.id, created_at: "2020-02-03T04:05:06.123456+00:00" };
  await site.add("articles", {
    author_id: member.id,
    title: 'Joins: "left" & right',
    content: TRICKY_CONTENT,
    published: true,
    created_at: owner.created_at,
  });
  // A download reads 20 rows at a time.
  const links = Array.from({ length: 21 }, (_, n) => ({
    ...owner,
    title: `Docs ${n}`,
    url: "https://www.postgresql.org/",
    category: "SQL",
  }));
  await site.admin.from("useful_links").insert(links).throwOnError();
  await site.add("code_samples", {
    ...owner,
    title: "Loop",
    code_content: "\ufefffor x in y:\r\n\tpass",
    language: "python",
  });
  await site.add("skills", {
    ...owner,
    category: "sql",
    name: "PostgreSQL",
    proficiency: 5,
    years_experience: 9,
  });
  return member;
}

test("a member restores a deleted article from their downloaded content, and another member imports that content with its text, code and dates unchanged", async ({
  page,
  site,
  signIn,
}) => {
  const author = await addAuthor(site);
  await signIn(author);
  const scripts: string[] = [];
  page.on("response", (response) => {
    if (/\/assets\/.*\.js$/.test(response.url())) scripts.push(response.url());
  });
  await openProfile(page);

  // The code for archives and front matter is loaded only now.
  await page.waitForLoadState("networkidle");
  const before = scripts.length;
  const texts = await Promise.all(scripts.map(async (url) => (await page.request.get(url)).text()));
  expect(texts.join()).not.toMatch(/End of central directory|failsafe|CompressionStream/);
  const file = await download(page);
  expect(scripts.length).toBeGreaterThan(before);
  expect(file.suggestedFilename()).toMatch(/^techfolio-ada-\d{4}-\d\d-\d\d\.zip$/);
  const path = await file.path();

  // Importing unchanged content does nothing.
  await chooseFiles(page, { "mine.zip": await readFile(path) });
  await expect(section(page)).toContainText("There is nothing to import.");
  await expect(section(page)).toContainText("is identical to the version on this site");
  await section(page).getByRole("button", { name: "Cancel" }).click();
  await expect(section(page).getByLabel("Import Content")).toBeFocused();

  // Deleted items are restored under their old ids.
  const articles = await articlesOf(site, author);
  await site.admin.from("articles").delete().eq("author_id", author.id).throwOnError();
  await chooseFiles(page, { "mine.zip": await readFile(path) });
  await importAll(page, 1);
  expect(await articlesOf(site, author)).toEqual(articles);

  // Items that another member imports get new ids.
  const other = await site.addMember();
  await signIn(other);
  await openProfile(page);
  await chooseFiles(page, { "hers.zip": await readFile(path) });
  await expect(section(page).getByRole("checkbox", { name: /^Profile/ })).not.toBeChecked();
  await section(page)
    .getByRole("checkbox", { name: /^Profile/ })
    .check();
  await section(page)
    .getByRole("checkbox", { name: /^Skills/ })
    .check();
  await importAll(page, 25);
  await expect(page.getByLabel("Company")).toHaveValue("Northwind");
  await expect(page.getByRole("button", { name: "Edit PostgreSQL" })).toBeVisible();

  const [copy] = await articlesOf(site, other);
  expect(copy).toEqual({ ...articles[0], id: expect.not.stringMatching(articles[0]?.id ?? "") });
  const { data: samples } = await site.admin.from("code_samples").select("*").eq("profile_id", other.id);
  expect(samples).toMatchObject([
    { code_content: "\ufefffor x in y:\r\n\tpass", created_at: "2020-02-03T04:05:06.123456+00:00" },
  ]);

  await chooseFiles(page, { "hers.zip": await readFile(path) });
  await expect(section(page)).toContainText("There is nothing to import.");
});

test("posts from Hugo and Jekyll become articles with their dates, and the page lists everything that isn't imported, without axe violations, in windows 390 and 1280 pixels wide", async ({
  page,
  site,
  member,
}) => {
  await openProfile(page);
  const posts = await zipTexts([
    {
      path: "content/posts/hugo/index.md",
      text: "+++\ntitle = 'Hugo'\ndate = 2021-03-04T05:06:07Z\ndraft = true\n+++\n\nOne\n",
    },
    {
      path: "_posts/2019-05-06-jekyll.md",
      text: "---\r\nlayout: post\r\ntags: [a]\r\n---\r\n# From Jekyll\r\n",
    },
    { path: "../../outside.md", text: "# Outside" },
    { path: "image.png", text: "no text" },
  ]);
  await chooseFiles(page, {
    "export.zip": Buffer.from(await posts.arrayBuffer()),
    "plain.md": "Only a text",
    "latin1.md": Buffer.from([0xe9, 0x74, 0xe9]),
    "broken.zip": "PK no zip",
  });
  const leftOut = section(page).getByRole("region", { name: "Left out" });
  await expect(leftOut).toContainText("../../outside.md has a path that leads out of the archive");
  await expect(leftOut).toContainText("image.png is a picture that no article shows");
  await expect(leftOut).toContainText("latin1.md is not UTF-8 text");
  await expect(leftOut).toContainText("broken.zip is not a readable archive");
  await expect(
    section(page).getByRole("checkbox", { name: /Hugo.*not published \(draft: true\)/ }),
  ).toBeChecked();
  await expect(
    section(page).getByRole("checkbox", { name: /From Jekyll.*left out: layout, tags/ }),
  ).toBeChecked();
  await section(page)
    .getByRole("checkbox", { name: /^plain.*has no date/ })
    .uncheck();
  expect(await violations(page)).toEqual([]);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await importAll(page, 2);
  expect(await articlesOf(site, member)).toMatchObject([
    {
      title: "From Jekyll",
      content: "# From Jekyll\r\n",
      published: true,
      created_at: "2019-05-06T12:00:00+00:00",
    },
    { title: "Hugo", content: "One\n", published: false, created_at: "2021-03-04T05:06:07+00:00" },
  ]);
});

test("a post from another program gets its picture, without its layout and private comments, and repeating the import changes nothing", async ({
  page,
  site,
  member,
}) => {
  await openProfile(page);
  const picture = makePng(6, 4);
  const posts = await zipTexts(
    [
      {
        path: "vault/post.md",
        text: "---\ndate: 2020-01-02\n---\n\n# Joins\n\n<p align=center><img src=PLAN.png alt=Plan></p>\n\n%%private%%\n\n`![x](plan.png)` ![gone](gone.png)\n{: .wide }\n",
      },
      { path: "__MACOSX/vault/._post.md", text: "x" },
    ],
    [{ path: "vault/assets/plan.png", read: async () => new Blob([picture.bytes]) }],
  );
  const files = { "vault.zip": Buffer.from(await posts.arrayBuffer()) };
  await chooseFiles(page, files);
  await expect(
    section(page).getByRole("checkbox", {
      name: /^Joins.*with a picture.*not found: gone\.png.*private comments, removed: /,
    }),
  ).toBeChecked();
  await importAll(page, 1);
  const [article] = await articlesOf(site, member);
  expect(article?.content).toMatch(
    /^<p align=center>\n\n!\[Plan\]\(\/storage\/v1\/object\/public\/pictures\/\S+-6x4\.webp\)\n\n<\/p>\n\n\n`!\[x\]\(plan\.png\)` !\[gone\]\(gone\.png\)\n$/,
  );
  await section(page).getByRole("button", { name: "Done" }).click();
  await chooseFiles(page, files);
  await expect(section(page)).toContainText("There is nothing to import.");

  await site.admin
    .from("articles")
    .update({ title: "Renamed" })
    .eq("id", article?.id ?? "")
    .throwOnError();
  await chooseFiles(page, files);
  await expect(section(page).getByRole("checkbox", { name: /^Joins.*replaces “Renamed”/ })).toBeVisible();
});

async function writeBlog(folder: string): Promise<string> {
  const blog = path.join(folder, "blog");
  await mkdir(path.join(blog, "_posts"), { recursive: true });
  await mkdir(path.join(blog, ".git"), { recursive: true });
  await writeFile(path.join(blog, "_posts", "2019-05-06-from-a-folder.md"), "---\nlayout: post\n---\nText");
  await writeFile(path.join(blog, ".git", "HEAD"), "ref");
  return blog;
}

test("a member imports a folder of Markdown files, without its .git subfolder, and a file by dropping it on the import section", async ({
  page,
  site,
  member,
}, testInfo) => {
  await openProfile(page);
  await expect(section(page)).toContainText(
    "Choose or drop .zip archives, Markdown files (.md), or folders that contain them.",
  );
  const blog = await writeBlog(testInfo.outputPath());
  await section(page).getByLabel("Import Folder").setInputFiles(blog);
  await expect(section(page).getByRole("region", { name: "Left out" })).toContainText("blog/.git");
  await importAll(page, 1);
  expect(await articlesOf(site, member)).toMatchObject([{ title: "from-a-folder", published: true }]);
  await section(page).getByRole("button", { name: "Done" }).click();

  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["---\ntitle: Dropped\n---\nText"], "2019-05-06-dropped.md"));
    return data;
  });
  const help = section(page).getByText("Choose or drop .zip archives");
  await help.dispatchEvent("dragover", { dataTransfer: transfer });
  await help.dispatchEvent("drop", { dataTransfer: transfer });
  await importAll(page, 1);
  expect(await articlesOf(site, member)).toMatchObject([{ title: "Dropped" }, { title: "from-a-folder" }]);
});

test("an item that is newer on the site than in the imported file is not selected for import, but the member can select it", async ({
  page,
  site,
  member,
}) => {
  await openProfile(page);
  const post = (text: string) => ({
    "post.md": `---\ntitle: Post\ndate: 2019-01-01\nlastmod: 2020-01-01\n---\n${text}`,
  });
  await chooseFiles(page, post("First"));
  await importAll(page, 1);
  await section(page).getByRole("button", { name: "Done" }).click();
  await expect(section(page).getByLabel("Import Content")).toBeFocused();
  // The import keeps the file's dates. Only a later save makes the item newer than the file.
  const edit = site.admin.from("articles").update({ content: "Edited" }).eq("author_id", member.id);
  await edit.throwOnError();
  await chooseFiles(page, post("Second"));
  await expect(
    section(page).getByRole("checkbox", { name: /^Post.*older than the version on this site/ }),
  ).not.toBeChecked();
  await expect(section(page).getByRole("button", { name: "Import 0 Items" })).toBeDisabled();
  await section(page).getByRole("checkbox", { name: /^Post/ }).check();
  await importAll(page, 1);
  expect(await articlesOf(site, member)).toMatchObject([{ content: "Second" }]);
});

test("repeating an import that was stopped adds the missing items", async ({ page, site, member }) => {
  await openProfile(page);
  const files = Object.fromEntries(
    Array.from({ length: 5 }, (_, n) => [`2020-01-0${n + 1}-post.md`, `# Post ${n}`]),
  );
  await chooseFiles(page, files);
  const held = await holdWrites(page, "**/rest/v1/articles*");
  await section(page).getByRole("button", { name: "Import 5 Items" }).click();
  await held.arrived;
  await expect(section(page).getByRole("progressbar", { name: "Import" })).toBeVisible();
  await expect(
    section(page).getByLabel("Import Content"),
    "choosing other files would stop the import",
  ).toBeDisabled();
  await section(page).getByRole("button", { name: "Stop" }).click();
  held.release();
  await expect(section(page)).toContainText("Imported 1 of 5 items. The import was stopped.");
  await expect(page.getByText("Import stopped: 1 of 5")).toBeAttached();
  await expect(section(page).getByLabel("Import Content")).toBeEnabled();
  expect(await articlesOf(site, member)).toHaveLength(1);
  await chooseFiles(page, files);
  await importAll(page, 4);
  expect(await articlesOf(site, member)).toHaveLength(5);
});

test("an import shows its current counts on a translated page, asks for confirmation before the member leaves or reloads the page, and its end does not steal the focus from a field", async ({
  page,
  site,
  member,
}) => {
  await test.step("the counts on a page that the browser has translated", async () => {
    await openProfile(page);
    await chooseFiles(page, { "2020-01-02-post.md": "# Post", "2020-01-03-post.md": "# Another" });
    await expect(section(page).getByRole("button", { name: "Import 2 Items" })).toBeVisible();
    await translate(page);
    await section(page)
      .getByRole("checkbox", { name: /^Another/ })
      .uncheck();
    await expect(section(page).getByRole("button", { name: "Import 1 Items" })).toBeVisible();
    await section(page)
      .getByRole("checkbox", { name: /^Another/ })
      .check();
    const held = await holdWrites(page, "**/rest/v1/articles*");
    await section(page).getByRole("button", { name: "Import 2 Items" }).click();
    await held.arrived;
    await translate(page);
    held.release();
    await expect(section(page)).toContainText("Imported 2 items.");
    await page.unroute("**/rest/v1/articles*");
  });

  await test.step("leaving and reloading the page during an import, and the focus at its end", async () => {
    // Otherwise there would be nothing to import.
    await site.admin.from("articles").delete().eq("author_id", member.id).throwOnError();
    await openProfile(page);
    await chooseFiles(page, { "2020-01-02-post.md": "# Post" });
    const held = await holdWrites(page, "**/rest/v1/articles*");
    await section(page).getByRole("button", { name: "Import 1 Items" }).click();
    await held.arrived;
    const dialog = page.getByRole("alertdialog", { name: "Import in Progress" });
    await page.getByRole("link", { name: "Articles", exact: true }).click();
    await dialog.getByRole("button", { name: "Stay" }).click();
    await expect(page).toHaveURL("/profile");
    const closing = page.waitForEvent("dialog").then(async (question) => {
      await question.dismiss();
      return question.type();
    });
    await page.evaluate(() => location.reload());
    expect(await closing).toBe("beforeunload");
    await page.getByLabel("Bio").pressSequentially("A long");
    held.release();
    await expect(section(page)).toContainText("Imported 1 item.");
    await expect(page.getByText("Import finished: 1 of 1")).toBeAttached();
    await page.keyboard.type(" story");
    await expect(page.getByLabel("Bio")).toHaveValue("A long story");
    await page.getByRole("link", { name: "Articles", exact: true }).click();
    await expect(page).toHaveURL("/articles");
  });
});

test("reloading the page during an import leaves only complete items, and repeating the import adds the rest", async ({
  page,
  site,
  member,
}) => {
  await openProfile(page);
  const files = Object.fromEntries(
    Array.from({ length: 5 }, (_, n) => [`2020-01-0${n + 1}-post.md`, `# Post ${n}`]),
  );
  await chooseFiles(page, files);
  await test.step("the list is sorted by date, and its button is in view from its start", async () => {
    await expect(section(page).getByRole("checkbox", { name: /^Post/ }).first()).toHaveAccessibleName(
      /^Post 4 ?Jan 5, 2020 · Article/,
    );
    await page.setViewportSize({ width: 390, height: 400 });
    await section(page).getByText("Create (5)").scrollIntoViewIfNeeded();
    const button = section(page).getByRole("button", { name: "Import 5 Items" });
    await expect(button).toBeInViewport();
    await section(page)
      .getByRole("checkbox", { name: /^Post 4/ })
      .focus();
    for (let line = 0; line < 4; line++) {
      await page.keyboard.press("Tab");
      const [line, bar] = [await page.locator(":focus").boundingBox(), await button.boundingBox()];
      expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    }
  });
  let writes = 0;
  await page.route("**/rest/v1/articles*", async (route) => {
    if (route.request().method() === "POST" && ++writes === 4) await route.fetch();
    else await route.continue();
  });
  await section(page).getByRole("button", { name: "Import 5 Items" }).click();
  await expect(section(page)).toContainText("Importing 3 of 5");
  await expect
    .poll(() => articlesOf(site, member), "the fourth item is stored, but its response is lost")
    .toHaveLength(4);
  await page.reload();
  await page.unroute("**/rest/v1/articles*");
  await chooseFiles(page, files);
  await importAll(page, 1);
  const after = await articlesOf(site, member);
  expect(after.map(({ content }) => content).sort()).toEqual(Object.values(files).sort());
});

test.describe("imports and password changes that the server rejects", () => {
  test.use({ expectedProblems: FAILED_REQUESTS });

  test("an import lists an item that cannot be stored, and imports the others", async ({
    page,
    site,
    member,
  }) => {
    await openProfile(page);
    await failWrites(page, "**/rest/v1/articles*", (route) =>
      route.request().postData()?.includes("Bad")
        ? route.fulfill({ status: 400, json: { code: "23514", message: "violates a check" } })
        : route.continue(),
    );
    await chooseFiles(page, { "2020-01-02-a.md": "# Bad", "2020-01-03-b.md": "# Good" });
    await section(page).getByRole("button", { name: "Import 2 Items" }).click();
    await expect(section(page)).toContainText("Imported 1 of 2 items.");
    await expect(section(page).getByRole("region", { name: "Not imported" })).toContainText(
      "Bad could not be stored: violates a check",
    );
    expect(await articlesOf(site, member)).toMatchObject([{ title: "Good" }]);
  });

  test("a member needs their current password to change it, and the change ends their other sessions", async ({
    page,
    site,
    member,
  }) => {
    await openProfile(page);
    const password = page.getByRole("region", { name: "Password" });
    // Password managers save the new password for this address.
    await expect(password.locator("[autocomplete=username]")).toHaveValue(member.email);
    await expect(password.getByLabel("New Password")).toHaveAttribute("passwordrules", "minlength: 6;");
    await password.getByLabel("Current Password").fill("not the password");
    await password.getByLabel("New Password").fill("correct horse battery");
    await password.getByRole("button", { name: "Change Password" }).click();
    await expect(password.getByRole("alert")).toHaveText("Invalid login credentials");
    const elsewhere = await site.openSession(member);
    await password.getByLabel("Current Password").fill(member.password);
    await password.getByRole("button", { name: "Change Password" }).click();
    await expect(password).toContainText("Your password was changed.");
    await expect(password.getByRole("alert")).toHaveCount(0);
    await expect(password.getByLabel("New Password")).toHaveValue("");
    const { data } = await site.admin.auth.getUser(elsewhere.access_token);
    expect(data.user, "the other session has ended").toBeNull();
    await site.openSession({ ...member, password: "correct horse battery" });
  });
});
