import type { BrowserContext, Page, Request } from "@playwright/test";
import { addManyItems } from "../../support/many-items.ts";
import { expect, type Site, test } from "../../support/site.ts";
import { getRaw, hydrated, PAGES } from "../../support/visiting.ts";

const LISTS = ["/articles", "/useful-links", "/sample-code"] as const;
const VISITOR_PAGES = ["/", ...LISTS] as const;
const MANY = 1_500;

async function addItems(site: Site, size: number): Promise<void> {
  const { id } = await site.addMember({ username: "crowd", featured: true, years_experience: 3 });
  await addManyItems(site.admin, id, size);
}

async function compressedPage(site: Site, path: string): Promise<Buffer> {
  const { status, body } = await getRaw(`${site.url}${path}`, { "Accept-Encoding": "br" });
  expect(status).toBe(200);
  return body;
}

function recordRequests(page: Page): Request[] {
  const requests: Request[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/favicon.svg")) requests.push(request);
  });
  return requests;
}

function scriptsOf(requests: Request[]): Request[] {
  return requests.filter((request) => request.resourceType() === "script");
}

async function bytesOf(requests: Request[]): Promise<number> {
  const sizes = requests.map(async (request) => {
    const length = (await (await request.response())?.allHeaders())?.["content-length"];
    expect(length, request.url()).toBeDefined();
    return Number(length);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function visitEachInNewTab(
  context: BrowserContext,
  paths: readonly string[],
  visit: (page: Page, path: string) => Promise<void>,
): Promise<unknown> {
  return Promise.all(
    paths.map(async (path) => {
      const page = await context.newPage();
      await visit(page, path);
      await page.close();
    }),
  );
}

function mostArticlesWhileScrolling(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let most = 0;
    for (let screens = 0; screens < 40; screens++) {
      scrollTo(0, document.documentElement.scrollHeight);
      await new Promise((resolve) => setTimeout(resolve, 50));
      most = Math.max(most, document.querySelectorAll("main article").length);
    }
    return most;
  });
}

test(`pages stay within their limits for bytes, requests and DOM elements if there are ${MANY} items of each kind`, async ({
  page,
  context,
  site,
}) => {
  test.setTimeout(90_000);
  await addItems(site, MANY);

  await test.step("the home page and each list take at most 35 kB compressed", async () => {
    for (const path of VISITOR_PAGES) {
      expect((await compressedPage(site, path)).length, path).toBeLessThanOrEqual(35_000);
    }
  });

  await test.step("a visit loads only the document, fonts and scripts", () =>
    visitEachInNewTab(context, VISITOR_PAGES, async (visit, path) => {
      const requests = recordRequests(visit);
      await visit.goto(path, { waitUntil: "networkidle" });
      const others = requests.filter((request) => !["font", "script"].includes(request.resourceType()));
      expect(others.map((request) => request.url())).toEqual([site.url + path]);
    }));

  await test.step("/articles starts with at most 12 articles, and never shows more than 600, however far the reader scrolls", async () => {
    await page.goto("/articles");
    expect(await page.getByRole("article").count()).toBeLessThanOrEqual(12);
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(1_800);
    await hydrated(page);
    await page.getByRole("searchbox", { name: "Search", exact: true }).focus();
    expect(await mostArticlesWhileScrolling(page)).toBeLessThanOrEqual(600);
  });
});

test("each main page loads at most 130 kB of compressed scripts", async ({ context, site }) => {
  await addItems(site, 3);
  await visitEachInNewTab(context, PAGES, async (page, path) => {
    const requests = recordRequests(page);
    await page.goto(path);
    await hydrated(page);
    await page.waitForLoadState("networkidle");
    const scripts = scriptsOf(requests);
    expect(scripts.length).toBeGreaterThan(0);
    expect(await bytesOf(scripts), path).toBeLessThanOrEqual(130_000);
  });
});
