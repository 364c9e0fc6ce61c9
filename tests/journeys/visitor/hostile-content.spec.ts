import type { Page } from "@playwright/test";
import { expect, type Site, test } from "../../support/site.ts";
import { cardOf, expectTitles, getRaw, hydrated, showAll } from "../../support/visiting.ts";

const HOSTILE_TEXTS = [
  `<script>alert(1)</script>`,
  `</script><script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)' x='`,
  `--><svg onload=alert(1)><!--`,
  `</title></textarea></style></noscript><img src=x onerror=alert(1)>`,
  `{{constructor.constructor('alert(1)')()}} \${alert(1)} #{alert(1)}`,
  `javascript:alert(1)`,
  `\u2028alert(1)\u2029 </article></main><h1>gone</h1>`,
  `\u202Etxet desrever\u202C \u200B\u0301\u0301\u0301 😀🏳️‍🌈`,
  `&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62; &amp;amp;`,
  `'; drop table articles; -- %_\\`,
  `__proto__`,
];

/** Strings that are dangerous only as a field's entire value. Tests that join all texts in a field try these alone. */
const DANGEROUS_ALONE = ["javascript:alert(1)", "__proto__"];

const HOSTILE_MARKDOWN = [
  `<img src=x onerror=alert(1)><script>alert(1)</script><iframe src="javascript:alert(1)"></iframe>`,
  `[click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) <javascript:alert(1)>`,
  `[ref][r]\n\n[r]: JaVaScRiPt&colon;alert(1) "\\" onclick=\\"alert(1)"`,
  `![x](x"onerror="alert(1)) ![data](data:image/svg+xml,<svg/onload=alert(1)>)`,
  "```html\n</code></pre><script>alert(1)</script>\n```",
  `[^"><script>alert(1)</script>]\n\n[^"><script>alert(1)</script>]: note`,
];

/** Adds a member and items for each hostile text, with that text in every free-text field. Returns the items' ids. */
async function addHostileContent(site: Site) {
  const owners = await site.addMembers(
    HOSTILE_TEXTS.map((text, index) => ({
      username: text,
      full_name: text,
      bio: text,
      current_title: text,
      company: text,
      featured: true,
      featured_skills: [text],
      years_experience: index,
    })),
  );
  const texts = HOSTILE_TEXTS.map((text, index) => ({
    text,
    index,
    owner: owners[index],
    created_at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
  }));
  const insert = async (table: "articles" | "useful_links" | "code_samples" | "skills", rows: object[]) => {
    const { data } = await site.admin.from(table).insert(rows).select("id").throwOnError();
    return data.map(({ id }) => id as string);
  };
  await insert(
    "skills",
    texts.map(({ text, owner }) => ({
      profile_id: owner,
      category: "tools",
      name: text,
      proficiency: 5,
      years_experience: 1,
    })),
  );
  return {
    articles: await insert(
      "articles",
      texts.map(({ text, index, owner, created_at }) => ({
        author_id: owner,
        title: text,
        content: `${text}\n\n${HOSTILE_MARKDOWN[index % HOSTILE_MARKDOWN.length]}`,
        published: true,
        created_at,
      })),
    ),
    links: await insert(
      "useful_links",
      texts.map(({ text, owner, created_at }) => ({
        profile_id: owner,
        title: text,
        url: `https://example.com/${text}`,
        description: text,
        category: text,
        created_at,
      })),
    ),
    samples: await insert(
      "code_samples",
      texts.map(({ text, owner, created_at }) => ({
        profile_id: owner,
        title: text,
        description: text,
        language: "javascript",
        code_content: text,
        created_at,
      })),
    ),
  };
}

/** The parts of an HTML document that these journeys check. */
interface Contents {
  /** Event handlers and unsafe URLs, scripts and embeds in `<main>`, and forms that submit elsewhere. */
  unsafe: string[];
  mainHeadings: number;
  hasFooter: boolean;
  /** The texts of the cards, by their ids. */
  cards: Record<string, { heading: string; all: string }>;
  searchedText: string | null;
  /** The address of the list's next page. */
  next: string | null;
}

/**
 * Reads the page or, if `html` is given, the HTML of the page at `url`, which the browser parses but doesn't run. Policies
 * of the page that parses it apply to the HTML as well, so that page should be blank.
 */
function contentsOf(page: Page, html?: string, url = page.url()): Promise<Contents> {
  return page.evaluate(readContents, { html, url });
}

function readContents({ html, url }: { html: string | undefined; url: string }): Contents {
  const read = html === undefined ? document : new DOMParser().parseFromString(html, "text/html");
  const collapseSpaces = (element: Element | null) =>
    element?.textContent.replaceAll(/\s+/g, " ").trim() ?? "";
  const unsafe: string[] = [];
  for (const element of read.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name)) unsafe.push(`${element.tagName} ${name}`);
      if (name === "srcdoc" || name === "formaction") unsafe.push(`${element.tagName} ${name}`);
      if (!["href", "src", "action"].includes(name)) continue;
      const { protocol } = new URL(value, url);
      if (!["http:", "https:", "mailto:"].includes(protocol))
        unsafe.push(`${element.tagName} ${name}=${value}`);
    }
  }
  for (const element of read.querySelectorAll("main :is(script, style, iframe, object, embed, base)")) {
    unsafe.push(element.outerHTML);
  }
  const here = new URL(url);
  for (const form of read.forms) {
    const { origin, pathname } = new URL(form.getAttribute("action") ?? "", url);
    const isSearch = pathname === "/search" && form.method === "get";
    if (origin !== here.origin || (pathname !== here.pathname && !isSearch)) unsafe.push(form.outerHTML);
  }
  const cards = [...read.querySelectorAll("main article")].map((card) => [
    card.id,
    { heading: collapseSpaces(card.querySelector("h2")), all: collapseSpaces(card) },
  ]);
  const links = [...read.querySelectorAll("main a")];
  return {
    unsafe,
    mainHeadings: read.querySelectorAll("h1").length,
    hasFooter: read.querySelector("footer") !== null,
    cards: Object.fromEntries(cards),
    searchedText: read.querySelector("main [type=search][name=q]")?.getAttribute("value") ?? null,
    next: links.find((link) => link.textContent === "Show More")?.getAttribute("href") ?? null,
  };
}

const WHOLE_AND_SAFE = { unsafe: [], mainHeadings: 1, hasFooter: true };

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, " ").trim();

// The hostile texts contain pictures that don't exist, so the browser reports that it can't load them.
test.use({ expectedProblems: [/Failed to load resource/] });

test.beforeEach(({ page }) => {
  page.on("dialog", (dialog) => {
    // The browser asks before leaving an unsaved form.
    if (dialog.type() === "beforeunload") return dialog.accept();
    throw new Error(`A script in a member's text ran: ${dialog.message()}`);
  });
});

test("the lists, the home page and searches show hostile texts as plain text and never execute them", async ({
  page,
  context,
  site,
}) => {
  test.slow();
  const { articles, links, samples } = await addHostileContent(site);
  const blank = await context.newPage();
  for (const [path, ids] of [
    ["/articles", articles],
    ["/useful-links", links],
    ["/sample-code", samples],
  ] as const) {
    const expectTexts = (cards: Contents["cards"]) => {
      for (const [index, id] of ids.entries()) {
        const text = collapseSpaces(HOSTILE_TEXTS[index] ?? "");
        expect(cards[id]?.heading).toBe(text);
        expect(cards[id]?.all).toContain(text.slice(0, 20));
      }
    };

    await test.step(`${path} as the browser rendered it`, async () => {
      await page.goto(path);
      await hydrated(page);
      // A new search renders the cards in the browser instead of on the server.
      await page.getByRole("searchbox", { name: "Search", exact: true }).fill("zzz");
      await expectTitles(page).toEqual([]);
      await page.getByRole("searchbox", { name: "Search", exact: true }).fill("");
      await showAll(page, HOSTILE_TEXTS.length);
      const contents = await contentsOf(page);
      expect(contents, path).toMatchObject(WHOLE_AND_SAFE);
      expectTexts(contents.cards);
    });

    await test.step(`${path} as the server rendered it`, async () => {
      const cards: Contents["cards"] = {};
      for (let address: string | null = path; address !== null; ) {
        const response = await page.request.get(new URL(address, site.url + path).href);
        const contents: Contents = await contentsOf(blank, await response.text(), response.url());
        expect(contents, address).toMatchObject(WHOLE_AND_SAFE);
        Object.assign(cards, contents.cards);
        address = contents.next;
      }
      expectTexts(cards);
    });
  }

  await test.step("the home page shows hostile names as plain text", async () => {
    await page.goto("/");
    for (const isHydrated of [false, true]) {
      if (isHydrated) await hydrated(page);
      expect((await contentsOf(page)).unsafe).toEqual([]);
      const featured = page.getByRole("region", { name: "Featured Professionals" });
      await expect(featured.getByRole("heading", { level: 3 })).toHaveCount(3);
      for (const text of HOSTILE_TEXTS.slice(-3)) {
        const heading = featured.getByRole("heading", { name: collapseSpaces(text), exact: true });
        await expect(heading).toBeVisible();
      }
    }
  });

  await test.step("a search for hostile text returns 200 and keeps the text in the search field", async () => {
    await page.goto(`/articles?${new URLSearchParams({ q: "</script><script>alert(1)</script>" })}`);
    await hydrated(page);
    await expectTitles(page).toEqual(["</script><script>alert(1)</script>"]);
    for (const text of [...HOSTILE_TEXTS, "'", '"', "(", ")", ",", "*", "%", "\\", ".", "a.eq.1,or(", "\0"]) {
      const address = `/articles?${new URLSearchParams({ q: text, author: text, sort: text })}`;
      const response = await page.request.get(address);
      expect(response.status(), address).toBe(200);
      // The server removes NUL characters and spaces around the text.
      const searchedText = text.replace("\0", "").trim();
      const contents = await contentsOf(blank, await response.text(), response.url());
      expect(contents, address).toMatchObject({ ...WHOLE_AND_SAFE, searchedText });
    }
  });
});

/** Text inputs strip line breaks from their values (HTML standard, value sanitization algorithm). */
const oneLine = (text: string) => text.replaceAll(/[\r\n]/g, "");

test("the forms on /profile show hostile text unchanged and never execute it", async ({
  page,
  site,
  member,
}) => {
  const own = { profile_id: member.id, category: "tools", proficiency: 5, years_experience: 1 };
  const rows = HOSTILE_TEXTS.map((name) => ({ ...own, name }));
  await site.admin.from("skills").insert(rows).throwOnError();
  for (const text of [HOSTILE_TEXTS.join(" "), ...DANGEROUS_ALONE]) {
    const texts = { username: text, full_name: text, bio: text, current_title: text, company: text };
    await site.admin
      .from("profiles")
      .update({ ...texts, featured_skills: [text] })
      .eq("id", member.id)
      .throwOnError();
    await page.goto("/profile");
    const form = page.getByRole("region", { name: "Profile Information" });
    for (const label of ["Username", "Full Name", "Current Title", "Company"]) {
      await expect(form.getByLabel(label, { exact: true })).toHaveValue(oneLine(text));
    }
    await expect(form.getByLabel("Bio", { exact: true })).toHaveValue(text);
    expect((await contentsOf(page)).unsafe, text).toEqual([]);
  }
  const skills = page.getByRole("region", { name: "Skills" }).getByRole("listitem");
  await expect(skills).toHaveCount(HOSTILE_TEXTS.length);
  const shown = (await skills.allTextContents()).map(collapseSpaces);
  for (const text of HOSTILE_TEXTS)
    expect(shown).toContainEqual(expect.stringContaining(collapseSpaces(text)));
  await skills
    .getByRole("button", { name: /^Edit/ })
    .evaluateAll((buttons) => buttons.forEach((button) => void (button as HTMLElement).click()));
  const names = skills.getByLabel("Skill Name");
  await expect(names).toHaveCount(HOSTILE_TEXTS.length);
  const values = await names.evaluateAll((inputs) => inputs.map((each) => (each as HTMLInputElement).value));
  expect(values.sort()).toEqual(HOSTILE_TEXTS.map(oneLine).sort());
  expect((await contentsOf(page)).unsafe).toEqual([]);
});

test("the article form shows hostile text unchanged, and neither the form nor its preview executes it", async ({
  page,
  site,
  member,
}) => {
  const articles = [];
  // The unit test of Markdown renders each hostile Markdown text alone (common/markdown/hostile.test.ts).
  for (const [index, { texts, markdown }] of [
    { texts: HOSTILE_TEXTS, markdown: HOSTILE_MARKDOWN },
    ...DANGEROUS_ALONE.map((text) => ({ texts: [text], markdown: [] })),
  ].entries()) {
    const content = [...texts, `Article ${index}`, ...markdown].join("\n\n");
    const title = texts.join(" ");
    articles.push(await site.add("articles", { author_id: member.id, title, content, published: true }));
  }
  await page.goto("/articles");
  for (const [index, { id, title, content }] of articles.entries()) {
    await cardOf(page, id).getByRole("button", { name: /^Edit/ }).click();
    await expect(page.getByLabel("Title", { exact: true })).toHaveValue(oneLine(title));
    await expect(page.getByLabel("Content (Markdown)", { exact: true })).toHaveValue(content);
    const preview = page.getByRole("region", { name: "Preview" });
    await expect(preview.getByText(`Article ${index}`, { exact: true })).toBeVisible();
    expect((await contentsOf(page)).unsafe, title).toEqual([]);
  }
});

test("an article that takes too long to render is shown as plain text and does not block the page", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember({ username: "mallory" });
  const add = (title: string, content: string, number: number) =>
    site.add("articles", {
      author_id: id,
      title,
      content,
      published: true,
      created_at: new Date(Date.UTC(2026, 0, number)).toISOString(),
    });
  // The server stops rendering this text after 6.8 seconds of CPU time, less than half of what it needs. A longer text
  // would keep the server busy during the next journeys.
  const emphasis = "*a_ ".repeat(12_000);
  const slow = await add("Emphasis", emphasis, 3);
  const deep = await add("Bullets", "* ".repeat(2_048), 2);
  const fine = await add("Fine", "All is **well**.", 1);

  // The first page that asks for the texts may not wait long enough for any of them.
  await expect
    .poll(async () => String((await getRaw(`${site.url}/articles`)).body))
    .toContain(">well</strong>");
  expect((await getRaw(`${site.url}/healthz`)).status).toBe(200);
  await page.goto(`/articles#${fine.id}`);
  await expect(cardOf(page, fine.id).getByText("well", { exact: true })).toHaveCSS(
    "font-weight",
    /^[6-9]00$/,
  );
  await page.goto(`/articles#${slow.id}`);
  await expect(cardOf(page, slow.id)).toContainText("*a_ *a_ *a_");
  await page.goto(`/articles#${deep.id}`);
  await expect(cardOf(page, deep.id).getByRole("heading", { level: 2 })).toHaveText("Bullets");
  await hydrated(page);
  await expect(page.getByRole("searchbox", { name: "Search", exact: true })).toBeEnabled();
  await page.getByRole("searchbox", { name: "Search", exact: true }).fill("well");
  await expectTitles(page).toEqual(["Fine"]);
});
