import { expect, test } from "../../support/site.ts";
import { getRaw, hydrated, PAGES } from "../../support/visiting.ts";

const DESTINATIONS = [
  ["Articles", "/articles"],
  ["Useful Links", "/useful-links"],
  ["Sample Code", "/sample-code"],
  ["Profile", "/profile"],
] as const;

function titleOf(path: string): string {
  const [name] = DESTINATIONS.find(([, address]) => address === path) ?? [];
  return name ? `${name} · Techfolio.pro` : "Techfolio.pro";
}

const textOf = (html: string) => html.replaceAll(/<!--.*?-->|<[^>]*>/g, "");

test("each of the five main pages has the top bar, the footer, a title, a canonical URL and one main heading", async ({
  request,
  site,
}) => {
  for (const path of PAGES) {
    const response = await request.get(path);
    expect(response.status()).toBe(200);
    const html = await response.text();
    const [bar = ""] = /<header.*?<\/header>/s.exec(html) ?? [];
    const links = [...bar.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)];
    expect(links.map(([, href, content = ""]) => [textOf(content), href])).toEqual([
      ["Techfolio.pro", "/"],
      ...DESTINATIONS,
    ]);
    expect(bar).not.toContain("Sign Out");
    const [footer = ""] = /<footer.*?<\/footer>/s.exec(html) ?? [];
    expect(textOf(footer)).toBe("© 2025 Techfolio.pro. All rights reserved.");
    expect(html).toContain(`<title>${titleOf(path)}</title>`);
    expect(html).toContain(`<link rel="canonical" href="${site.url}${path}"/>`);
    expect(html.match(/<main[ >]/g)).toHaveLength(1);
    // The page /profile contains the headings of visitors and of members, and hides one.
    expect(html.match(/<h1[ >]/g)).toHaveLength(path === "/profile" ? 2 : 1);
  }
});

test("each page has its own description and Open Graph tags", async ({ site }) => {
  const seen = new Set<string>();
  for (const path of PAGES) {
    const html = String((await getRaw(`${site.url}${path}`)).body);
    const content = (name: string) =>
      new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1] ?? "";
    expect(content("description").length, path).toBeGreaterThan(20);
    expect(content("og:description")).toBe(content("description"));
    expect(content("og:title")).toBe(titleOf(path));
    expect(content("og:url")).toBe(`${site.url}${path}`);
    expect(content("og:type")).toBe("website");
    expect(content("og:site_name")).toBe("Techfolio.pro");
    seen.add(content("description"));
  }
  expect(seen.size).toBe(PAGES.length);
});

test("the top bar links to every main page and marks the current one, each page is announced, and its heading gets the focus", async ({
  page,
}) => {
  await page.goto("/");
  await hydrated(page);
  const announcements = page.locator("[aria-live=polite]");
  await expect(announcements).toHaveCount(1);
  await expect(announcements).toHaveText("");
  for (const [name, path] of DESTINATIONS) {
    const link = page.getByRole("banner").getByRole("link", { name, exact: true });
    await link.click();
    await expect(page).toHaveURL(path);
    await expect(page).toHaveTitle(titleOf(path));
    await expect(link).toHaveAttribute("aria-current", "page");
    await expect(announcements).toContainText(titleOf(path));
    await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
    await expect(page.getByRole("button", { name: "Sign Out" })).toHaveCount(0);
  }
  await page.goBack();
  await expect(page).toHaveURL("/sample-code");
  await expect(page).toHaveTitle(titleOf("/sample-code"));
  await expect(page.getByRole("heading", { level: 1, name: "Sample Code" })).toBeFocused();
  await page.getByRole("banner").getByRole("link", { name: "Techfolio.pro" }).click();
  await expect(page).toHaveURL("/");
  await expect(page).toHaveTitle(titleOf("/"));
});

// The site's title on other domains is tested without a browser (server/pages/site-title.test.ts, reading.spec.ts).
test("the site's title on the product's own domain stays Techfolio.com when a visitor opens another page", async ({
  page,
  site,
}) => {
  await page.goto(`http://techfolio.test:${new URL(site.url).port}/articles`);
  await expect(page).toHaveTitle("Articles · Techfolio.com");
  await hydrated(page);
  await expect(
    page.getByRole("banner").getByRole("link", { name: "Techfolio.com", exact: true }),
  ).toBeVisible();
  await expect(page.getByRole("contentinfo")).toHaveText("© 2025 Techfolio.com. All rights reserved.");
  await page.getByRole("link", { name: "Useful Links" }).click();
  await expect(page).toHaveTitle("Useful Links · Techfolio.com");
});

test.describe("unknown URLs", () => {
  // The browser logs the document's 404 status to the console.
  test.use({ expectedProblems: [/status of 404/] });

  test("an unknown URL returns 404 and the not-found page, which links to the home page", async ({
    page,
    request,
  }) => {
    for (const path of ["/nowhere", "/articles/one", "/Articles", "/index.html", "/%2e%2e/etc/passwd"]) {
      const response = await request.get(path);
      expect(response.status(), path).toBe(404);
      const html = await response.text();
      expect(html, path).toMatch(/<h1[^>]*>This page does not exist/);
      expect(html, path).toContain("<title>Page not found · Techfolio.pro</title>");
    }
    await page.goto("/articles/one");
    await expect(page.getByRole("contentinfo")).toContainText("Techfolio.pro");
    await hydrated(page);
    await page.getByRole("main").getByRole("link").click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Our Tech Expertise");
  });
});

test("the site has an icon for the browser's tab", async ({ request, site }) => {
  const html = await (await request.get("/")).text();
  const [, href = ""] = /<link rel="icon"[^>]* href="([^"]*)"/.exec(html) ?? [];
  const response = await getRaw(new URL(href, site.url).href);
  expect(response.status).toBe(200);
  expect(response.headers["content-type"]).toContain("image/svg+xml");
});

test("/healthz and /readyz return 200", async ({ site }) => {
  for (const path of ["/healthz", "/readyz"]) {
    expect((await getRaw(`${site.url}${path}`)).status).toBe(200);
  }
});

test("pages contain no API key except the anonymous one", async ({ site }) => {
  for (const path of PAGES) {
    const html = String((await getRaw(`${site.url}${path}`)).body);
    const tokens = html.match(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g) ?? [];
    expect(tokens.length).toBeGreaterThan(0);
    for (const token of tokens) {
      const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
      expect(claims.role).toBe("anon");
    }
  }
});

test("a navigation that takes longer than 150 ms shows a progress bar", async ({ page }) => {
  await page.clock.install();
  await page.goto("/");
  await hydrated(page);
  const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route("**/articles.data*", async (route) => {
    requested.resolve();
    await released.promise;
    await route.continue();
  });
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
  await page.getByRole("banner").getByRole("link", { name: "Articles" }).click();
  const progress = page.getByRole("progressbar", { name: "Loading" });
  await requested.promise;
  expect(await progress.count()).toBe(0);
  await expect
    .poll(async () => {
      await page.clock.runFor(150);
      return progress.count();
    })
    .toBe(1);
  await page.clock.resume();
  released.resolve();
  await expect(page).toHaveURL("/articles");
  await expect(progress).toHaveCount(0);
});
