import { expect, test } from "../../support/site.ts";
import { hydrated, layoutShift, PAGES, rendered, watchShifts } from "../../support/visiting.ts";

test.use({ seed: "demo" });

test("on the demo site, the five main pages log no error or warning, don't shift during hydration, and write no history entry, because WebKit would cancel a navigation that has started", async ({
  page,
}) => {
  await watchShifts(page);
  await page.addInitScript(() => {
    const calls: string[] = [];
    Object.assign(window, { calls });
    for (const name of ["pushState", "replaceState"] as const) {
      const original = history[name];
      history[name] = (...parameters) => {
        calls.push(`${name} while ${document.readyState}`);
        original.apply(history, parameters);
      };
    }
  });
  for (const path of PAGES) {
    await page.goto(path);
    await hydrated(page);
    expect(await layoutShift(page), path).toBe(0);
    const calls = await page.evaluate(() => (window as unknown as { calls: string[] }).calls);
    // The inline script in the document's head has written the index that React Router would otherwise write.
    expect(calls, path).toEqual(["replaceState while loading"]);
  }
  // The `noProblems` fixture fails the test if a page logs an error or a warning to the console.
});

test("the demo site's article list shows rendered Markdown instead of plain text", async ({ request }) => {
  await rendered(request, "/articles");
  expect(await (await request.get("/articles")).text()).toContain('<div class="prose">');
});
