import { afterAll, expect, test } from "vitest";
import { startServer } from "../support/server.ts";

// Starts the server as `npm run dev` does, so that it serves the application from its source.
const site = await startServer({
  NODE_ENV: "development",
  NODE_OPTIONS: "--conditions=development",
  SEED: "demo",
});
afterAll(() => site.stop());

test("the development server serves a page and its modules without an error", async () => {
  const page = await fetch(`${site.url}/articles`);
  expect(page.status, site.output()).toBe(200);
  const html = await page.text();
  expect(html).toContain("<article");
  // `toDateString` occurs only in the inline script that shows dates in the reader's time zone.
  expect(html).toContain("toDateString");
  const modules = [...html.matchAll(/"(\/app\/[^"]+\.tsx?)"/g)].map(([, address]) => address);
  expect(modules.length).toBeGreaterThan(2);
  for (const address of modules) {
    const module = await fetch(site.url + address);
    expect(module.headers.get("content-type"), address).toContain("javascript");
    expect(await module.text(), address).toContain("import");
  }
  expect(site.output()).not.toContain("ERR_");
});
