import type { BrowserContext, Locator } from "@playwright/test";
import { expect, type Site, test } from "../../support/site.ts";
import {
  cardOf,
  getRaw,
  gotoRendered,
  hydrated,
  layoutShift,
  PAGES,
  rendered,
  watchShifts,
} from "../../support/visiting.ts";

const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="1400"><rect width="900" height="1400" fill="#888"/></svg>`;

/** Serves a tall picture for every request to pictures.test, but only after `deliver` is called. */
async function holdPictures(context: BrowserContext) {
  const requested: string[] = [];
  let deliver: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    deliver = resolve;
  });
  await context.route("https://pictures.test/**", async (route) => {
    requested.push(route.request().url());
    await held;
    await route.fulfill({ contentType: "image/svg+xml", body: PICTURE });
  });
  return { requested, deliver };
}

async function addArticleWithPictures(site: Site) {
  const { id } = await site.addMember({
    full_name: "Ada Lovelace",
    avatar_url: "https://pictures.test/ada.svg",
    years_experience: 3,
    featured: true,
  });
  const content = [
    "Before.",
    "![A tall picture](https://pictures.test/tall.svg)",
    "After.",
    "Text. ".repeat(3_000),
    "![Far below](https://pictures.test/below.svg)",
  ].join("\n\n");
  const article = await site.add("articles", {
    author_id: id,
    title: "Illustrated",
    content,
    published: true,
  });
  // The server sends the article as plain text, without its pictures, until it has rendered the Markdown.
  await expect.poll(async () => String((await getRaw(`${site.url}/articles`)).body)).toContain("<img");
  return article;
}

test("a picture loads only when the reader scrolls near it", async ({ page, context, site }) => {
  const article = await addArticleWithPictures(site);
  const { requested, deliver } = await holdPictures(context);
  await page.goto("/articles", { waitUntil: "domcontentloaded" });
  const card = cardOf(page, article.id);
  await expect.poll(() => requested).toEqual(["https://pictures.test/tall.svg"]);

  deliver();
  const picture = card.getByRole("img", { name: "A tall picture" });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(1400);
  expect(requested).toHaveLength(1);

  await card.getByRole("img", { name: "Far below" }).scrollIntoViewIfNeeded();
  await expect.poll(() => requested.length).toBe(2);
});

test("Reload and Back restore the scroll position", async ({ page, site }) => {
  const { id } = await site.addMember({ full_name: "Ada Lovelace" });
  const rows = Array.from({ length: 20 }, (_, number) => ({
    author_id: id,
    title: `Article ${number}`,
    content: `Paragraph ${number}.\n\n`.repeat(8),
    published: true,
  }));
  await site.admin.from("articles").insert(rows).throwOnError();
  const scrollPosition = () => page.evaluate(() => Math.round(scrollY));
  const scrollToAndWait = async (y: number) => {
    await page.evaluate((to) => scrollTo(0, to), y);
    await expect.poll(scrollPosition).toBe(y);
  };
  await gotoRendered(page, "/articles");
  await scrollToAndWait(1_200);
  await page.reload();
  await expect.poll(scrollPosition).toBe(1_200);

  await hydrated(page);
  await expect.poll(scrollPosition).toBe(1_200);
  await scrollToAndWait(900);
  // Don't use the mouse: Playwright would first scroll to the link, and so change the position that Back must restore.
  await page
    .getByRole("banner")
    .getByRole("link", { name: "Useful Links" })
    .evaluate((link: HTMLElement) => link.click());
  await expect(page).toHaveURL("/useful-links");
  await expect.poll(scrollPosition).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL("/articles");
  await expect.poll(scrollPosition).toBe(900);
  await page.reload();
  await expect.poll(scrollPosition).toBe(900);
  await page.goto("/sample-code");
  await page.goBack();
  await expect(page).toHaveTitle(/Articles/);
  await expect.poll(scrollPosition).toBe(900);
});

test("a picture that fails to load shows only its text, and a professional's initials replace a portrait that fails to load", async ({
  page,
  context,
  site,
}) => {
  await addArticleWithPictures(site);
  await context.route("https://pictures.test/**", (route) => route.fulfill({ status: 204 }));
  await page.goto("/articles");
  await hydrated(page);
  const broken = page.getByAltText("A tall picture");
  await expect(broken).toHaveAttribute("data-broken");
  await expect.poll(async () => Number((await broken.boundingBox())?.height)).toBeLessThan(60);

  await watchShifts(page);
  await page.goto("/");
  await hydrated(page);
  const featured = page.getByRole("region", { name: "Featured Professionals" });
  await expect(featured.getByText("AL", { exact: true })).toBeVisible();
  await expect(featured.locator("img")).toBeHidden();
  expect(await layoutShift(page)).toBe(0);
});

/** Returns a page's response without the headers that differ on every request. */
async function responseOf(address: string, headers: Record<string, string> = {}) {
  const { status, body, headers: received } = await getRaw(address, headers);
  const { date: _date, "x-request-id": _id, ...rest } = received;
  return { status, headers: rest, body: body.toString() };
}

/** Removes the nonce, which depends on the URL and the page's data, and the ETag, which depends on the nonce. */
function withoutNonce({ status, headers, body }: Awaited<ReturnType<typeof responseOf>>) {
  const { "content-security-policy": policy, etag: _etag, ...rest } = headers;
  const nonce = /'nonce-([^']+)'/.exec(String(policy))?.[1] ?? "";
  expect(body).toContain(`nonce="${nonce}"`);
  return {
    status,
    headers: { ...rest, policy: String(policy).replaceAll(nonce, "") },
    body: body.replaceAll(nonce, ""),
  };
}

test("a page's response does not depend on credentials, unknown hosts, forwarding headers, the user agent or unknown parameters", async ({
  request,
  site,
}) => {
  const member = await site.addMember({ full_name: "Ada" });
  await site.add("articles", { author_id: member.id, title: "One", content: "x", published: true });
  await rendered(request, "/articles");
  const { access_token } = await site.openSession(member);
  for (const path of PAGES) {
    const page = await responseOf(`${site.url}${path}`);
    expect(page.status).toBe(200);
    const others: [string, Record<string, string>][] = [
      [path, { Authorization: `Bearer ${access_token}` }],
      [path, { Authorization: `Bearer ${site.keys.serviceKey}`, apikey: site.keys.serviceKey }],
      [path, { Cookie: `techfolio.session=${access_token}` }],
      [path, { Host: "evil.example" }],
      [path, { Host: "evil.example:99999".slice(0, 17) }],
      [
        path,
        { "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "1.2.3.4" },
      ],
      [path, { "X-Forwarded-Host": "techfolio.com", Forwarded: "host=techfolio.com;proto=https" }],
      [path, { "X-Original-URL": "/profile", "X-Rewrite-URL": "/profile", "X-HTTP-Method-Override": "POST" }],
      [path, { Accept: "application/json", "Accept-Language": "de", "User-Agent": "curl/8" }],
      [path, { "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" }],
      [path, { "X-React-Router-Prerender-Data": "x", Purpose: "prefetch" }],
      [`${path}?utm_source=mail&_data=root&index`, {}],
      [`${path}?%00=<script>`, {}],
    ];
    for (const [address, headers] of others) {
      // The next request renders the page again, and its response may be kept for other visitors.
      await site.admin.from("profiles").update({ company: "Not shown" }).eq("id", member.id).throwOnError();
      const response = await responseOf(`${site.url}${address}`, headers);
      const message = JSON.stringify([address, headers]);
      if (address === path) {
        expect(response, message).toEqual(page);
        expect(await responseOf(`${site.url}${path}`), message).toEqual(page);
      } else expect(withoutNonce(response), message).toEqual(withoutNonce(page));
    }
  }
});

test("on the product's own domain, a page differs only in the site's title", async ({ site }) => {
  for (const path of PAGES) {
    const pro = await responseOf(`${site.url}${path}`);
    const com = await responseOf(`${site.url}${path}`, { Host: "www.techfolio.example" });
    expect(com.body).toContain("Techfolio.com");
    expect(com.body).not.toContain("Techfolio.pro");
    expect(withoutNonce(com).body.replaceAll("Techfolio.com", "Techfolio.pro")).toBe(withoutNonce(pro).body);
  }
});

test("each page has its own content security policy without unsafe sources, and further security headers", async ({
  site,
}) => {
  const policies = new Set<unknown>();
  for (const path of PAGES) {
    const { headers } = await getRaw(`${site.url}${path}`);
    const policy = String(headers["content-security-policy"]);
    for (const source of ["default-src", "object-src", "base-uri", "frame-ancestors"])
      expect(policy).toContain(`${source} 'none'`);
    expect(policy).toContain("script-src 'self' 'nonce-");
    expect(policy).not.toMatch(/unsafe-|\*|data:|blob:/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBeTruthy();
    expect(headers["permissions-policy"]).toBeTruthy();
    policies.add(policy);
  }
  expect(policies.size).toBe(PAGES.length);
});

test("a conditional request for a page gets 304 if the page is unchanged, and the new page after a change", async ({
  site,
}) => {
  const member = await site.addMember({ full_name: "Ada" });
  for (const path of PAGES) {
    const { headers } = await getRaw(`${site.url}${path}`);
    const again = await getRaw(`${site.url}${path}`, { "If-None-Match": String(headers["etag"]) });
    expect(again.status, path).toBe(304);
    expect(again.body).toHaveLength(0);
  }
  const first = await getRaw(`${site.url}/articles`, { "Accept-Encoding": "br" });
  expect(first.headers["content-encoding"]).toBe("br");
  const etag = String(first.headers["etag"]);
  await site.add("articles", { author_id: member.id, title: "New", content: "x" });
  const changed = await getRaw(`${site.url}/articles`, { "If-None-Match": etag });
  expect(changed.status).toBe(200);
  expect(String(changed.body)).toContain("New");
});

test("a HEAD request for a page gets no body, and methods other than GET and HEAD get 405", async ({
  site,
}) => {
  const head = await getRaw(`${site.url}/articles`, {}, "HEAD");
  expect(head.status).toBe(200);
  expect(head.body).toHaveLength(0);
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
    expect((await getRaw(`${site.url}/articles`, {}, method)).status).toBe(405);
  }
});

test("only code blocks and tables that scroll are tab stops, each has a role and a name, and the Copy code button does not cover any code", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember();
  const columns = Array.from({ length: 30 }, (_, i) => `column_${i}`);
  const row = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const content = [
    "```\nshort\n```",
    `\`\`\`\n${"long ".repeat(200)}\n\`\`\``,
    "| a |\n| - |\n| b |",
    [row(columns), row(columns.map(() => "-")), row(columns)].join("\n"),
  ].join("\n\n");
  await site.add("articles", { author_id: id, title: "Boxes", content });
  await gotoRendered(page, "/articles");
  await hydrated(page);
  const stops = page.getByRole("article").locator("[tabindex='0']");
  await expect(stops).toHaveCount(2);
  await expect(page.getByRole("group", { name: "Code" })).toContainText("long");
  await expect(page.getByRole("group", { name: "Table" })).toContainText("column_29");
  const frame = page.locator(".prose .code-frame").filter({ hasText: "long" });
  const gap = await frame.evaluate((element) => {
    const [pre, button] = [element.querySelector("pre"), element.querySelector("button")];
    pre?.scrollTo({ left: pre.scrollWidth });
    const end = pre?.querySelector("code")?.getBoundingClientRect().right ?? Number.NaN;
    return (button?.getBoundingClientRect().left ?? Number.NaN) - end;
  });
  expect(gap).toBeGreaterThanOrEqual(0);
});

test("a printed list omits the navigation and the search fields, writes out the URLs of links, and shows boxes that scroll on the screen in full", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember();
  const columns = Array.from({ length: 20 }, (_, index) => `column_${index}`);
  const row = (cells: string[]) => `|${cells.join("|")}|`;
  const table = [row(columns), row(columns.map(() => "-")), row(columns)].join("\n");
  const code = `\`\`\`\n${"0123456789abcdef".repeat(30)}\n\`\`\``;
  const content = `${table}\n\n${code}\n\n[Docs](https://docs.test/a)`;
  await site.add("articles", { author_id: id, title: "Wide", content });
  for (let number = 1; number <= 10; number++) {
    const link = { title: `Link ${number}`, url: "https://docs.test/", category: "Docs" };
    await site.add("useful_links", { profile_id: id, ...link });
  }
  await page.setViewportSize({ width: 700, height: 900 });
  const isCut = (box: Locator) =>
    box.evaluate(
      (element) => element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
    );
  const expectWholeOnPaper = async (...boxes: Locator[]) => {
    await page.emulateMedia({ media: "screen" });
    for (const box of boxes) expect(await isCut(box), "on the screen").toBe(true);
    await page.emulateMedia({ media: "print" });
    for (const box of boxes) expect(await isCut(box), "on paper").toBe(false);
  };
  await page.goto("/");
  await expectWholeOnPaper(page.getByRole("list", { name: "Latest Useful Links" }));
  await gotoRendered(page, "/articles");
  await expectWholeOnPaper(page.locator(".table-scroll"), page.locator(".prose pre"));
  await expect(page.getByRole("navigation")).toBeHidden();
  await expect(page.getByRole("searchbox").first()).toBeHidden();
  const docs = page.getByRole("link", { name: "Docs" });
  await expect(docs).toBeVisible();
  expect(await docs.evaluate((link) => getComputedStyle(link, "::after").content)).toContain(
    "https://docs.test/a",
  );
});

test("the browser's text search finds words in a card far below the visible part of the list", async ({
  page,
  site,
}) => {
  const { id } = await site.addMember();
  // 12 articles fit on the first page of the list, so all of them are in the document.
  const rows = Array.from({ length: 12 }, (_, index) => ({
    author_id: id,
    title: `Article ${index + 1}`,
    content: `Word${index + 1} and more\n\n`.repeat(9),
    created_at: new Date(Date.UTC(2026, 2, 31 - index)).toISOString(),
  }));
  await site.admin.from("articles").insert(rows).throwOnError();
  await gotoRendered(page, "/articles");
  const last = page.getByRole("article").last();
  await expect(last).not.toBeInViewport();
  expect(
    await page.evaluate(() => (window as unknown as { find(text: string): boolean }).find("Word12")),
  ).toBe(true);
  await expect(last).toBeInViewport();
});

const svg = (width: number, height: number) => ({
  contentType: "image/svg+xml",
  body: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"/>`,
});

test("pictures from other sites take their own shape, a broken one only its text, and each opens at full size", async ({
  page,
  context,
  site,
}) => {
  const { id } = await site.addMember();
  const sizes: Record<string, [number, number]> = {
    "small.svg": [60, 40],
    "logo.svg": [400, 50],
    "screenshot.svg": [500, 1_900],
    "badge.svg": [90, 20],
  };
  await context.route("https://pictures.test/**", (route) => {
    const size = sizes[route.request().url().split("/").at(-1) ?? ""];
    return size ? route.fulfill(svg(...size)) : route.fulfill({ status: 204 });
  });
  const content = [...Object.keys(sizes), "broken.svg"]
    .map((name) => `![${name}](https://pictures.test/${name})`)
    .join("\n\n");
  const { id: articleId } = await site.add("articles", { author_id: id, title: "Pictures", content });
  for (const path of ["/articles", `/articles/${articleId}`]) {
    await gotoRendered(page, path);
    // A picture that is on the screen after the reader has scrolled keeps its frame.
    await hydrated(page);
    for (const [name, [width, height]] of Object.entries(sizes)) {
      const picture = page.getByRole("img", { name });
      await picture.scrollIntoViewIfNeeded();
      await expect
        .poll(
          () => picture.evaluate((img: HTMLImageElement) => [img.width, img.height]),
          `${name} on ${path}`,
        )
        .toEqual([width, height]);
      const frame = picture.locator("xpath=ancestor::p");
      await expect.poll(async () => Number((await frame.boundingBox())?.height)).toBeLessThan(height + 30);
    }
    const broken = page.locator("p", { has: page.getByRole("img", { name: "broken.svg" }) });
    await expect.poll(async () => Number((await broken.boundingBox())?.height)).toBeLessThan(60);
    await expect(broken.getByRole("link")).toHaveCount(0);
  }
  const popup = page.waitForEvent("popup");
  await page.getByRole("link", { name: "logo.svg" }).click();
  await expect(await popup).toHaveURL("https://pictures.test/logo.svg");
});

test("a slow picture on the screen doesn't move the text below it, and takes its shape once it has left the screen", async ({
  page,
  context,
  site,
}) => {
  const { id } = await site.addMember();
  const responses = Promise.withResolvers<void>();
  await context.route("https://pictures.test/**", async (route) => {
    await responses.promise;
    await route.fulfill(svg(400, 50));
  });
  const lines = (first: string) => `${first}\n\n${"A line of text.\n\n".repeat(60)}`;
  const content = `${lines("Start")}![logo](https://pictures.test/logo.svg)\n\n${lines("After the picture")}`;
  const { id: articleId } = await site.add("articles", { author_id: id, title: "Slow", content });
  await gotoRendered(page, `/articles/${articleId}`);
  await hydrated(page);
  const text = page.getByText("After the picture");
  const picture = page.getByRole("img", { name: "logo" });
  const top = () => text.evaluate((element) => element.getBoundingClientRect().top);
  await text.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const before = await top();
  responses.resolve();
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(400);
  const frame = picture.locator("xpath=ancestor::p");
  await expect(frame).toBeInViewport();
  expect(await top()).toBe(before);
  await page.evaluate(() => scrollTo({ top: 1 }));
  await expect.poll(async () => Number((await frame.boundingBox())?.height)).toBeLessThan(80);
});
