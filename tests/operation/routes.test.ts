import { afterAll, expect, test } from "vitest";
import { loadApplication } from "../../server/pages/application.ts";
import { startTestApp } from "../support/test-app.ts";

const site = await startTestApp();
afterAll(() => site.stop());

const { build } = await loadApplication();
const routes = Object.values(typeof build === "function" ? {} : build.routes);
const pages = routes.flatMap((route) => {
  const isPage = route && "default" in route.module && !/[:*]/.test(route.path ?? "");
  return isPage && route.id !== "root" ? `/${route.path ?? ""}` : [];
});

test("every page in routes.ts whose path has no parameters has a unique title", async () => {
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
