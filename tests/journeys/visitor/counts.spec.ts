import type { Request } from "@playwright/test";
import { addManyItems } from "../../support/many-items.ts";
import { expect, test } from "../../support/site.ts";
import { getRaw, hydrated, PAGES } from "../../support/visiting.ts";

const VISITOR_PAGES = PAGES.filter((path) => path !== "/profile");
const MANY = 500;

async function bytesOf(requests: Request[]): Promise<number> {
  const sizes = requests.map(async (request) => {
    const length = (await (await request.response())?.allHeaders())?.["content-length"];
    expect(length, request.url()).toBeDefined();
    return Number(length);
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

test(`pages stay within their limits for bytes, requests, scripts and DOM elements if there are ${MANY} items of each kind`, async ({
  context,
  site,
}) => {
  test.setTimeout(90_000);
  const { id } = await site.addMember({ username: "crowd", featured: true, years_experience: 3 });
  await addManyItems(site.admin, id, MANY);

  await test.step("the home page and each list take at most 35 kB compressed", async () => {
    for (const path of VISITOR_PAGES) {
      const { status, body } = await getRaw(`${site.url}${path}`, { "Accept-Encoding": "br" });
      expect([status, path]).toEqual([200, path]);
      expect(body.length, path).toBeLessThanOrEqual(35_000);
    }
  });

  await test.step("a visit loads only the document, fonts and at most 130 kB of compressed scripts, none of them for operators, and /articles starts with at most 12 articles", async () => {
    const visits = PAGES.map(async (path) => {
      const tab = await context.newPage();
      const requests: Request[] = [];
      tab.on("request", (request) => {
        if (!request.url().endsWith("/favicon.svg")) requests.push(request);
      });
      await tab.goto(path);
      if (path === "/articles") {
        expect(await tab.getByRole("article").count()).toBeLessThanOrEqual(12);
        expect(await tab.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(1_800);
      }
      await hydrated(tab);
      await tab.waitForLoadState("networkidle");
      const scripts = requests.filter((request) => request.resourceType() === "script");
      expect(scripts.length).toBeGreaterThan(0);
      expect(await bytesOf(scripts), path).toBeLessThanOrEqual(130_000);
      const urls = requests.map((request) => request.url());
      expect(urls.filter((url) => /\/admin[-./]|operator-page/.test(url))).toEqual([]);
      const others = requests.filter((request) => !["font", "script"].includes(request.resourceType()));
      if (path !== "/profile") expect(others.map((request) => request.url())).toEqual([site.url + path]);
      await tab.close();
    });
    await Promise.all(visits);
  });
});
