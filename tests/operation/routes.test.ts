import { afterAll, expect, test } from "vitest";
import { loadApplication } from "../../server/pages/application.ts";
import { startTestApp } from "../support/test-app.ts";

const site = await startTestApp();
afterAll(() => site.stop());

const { routePaths } = await loadApplication();
const pages = routePaths.filter((path) => !path.includes(":"));

test("every page in routes.ts without parameters in its path has a unique title", async () => {
  expect(pages).toEqual(expect.arrayContaining(["/", "/profile", "/articles"]));
  const titles = await Promise.all(
    pages.map(async (page) => {
      const response = await site.ask(page);
      expect([page, response.status]).toEqual([page, 200]);
      return /<title>(.*?)<\/title>/.exec(await response.text())?.[1];
    }),
  );
  expect(new Set(titles).size).toBe(pages.length);
});
