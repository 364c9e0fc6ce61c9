import { afterAll, expect, test } from "vitest";
import { startServer } from "../support/server.ts";

// `npm run dev` is the same server, with the application as it is on disk.

const site = await startServer({
  NODE_ENV: "development",
  NODE_OPTIONS: "--conditions=development",
  SEED: "demo",
});
afterAll(() => site.stop());

test("a page and the modules that it names are there, and nothing goes wrong", async () => {
  const page = await fetch(`${site.url}/articles`);
  expect(page.status, site.output()).toBe(200);
  const html = await page.text();
  expect(html).toContain("<article");
  // The starter puts the reader's own day in.
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
