import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { ANDROID_FONTS } from "../../support/browser.ts";
import { expect, openSite, testOwnSite } from "../../support/site.ts";
import {
  fontsShown,
  getRaw,
  holdScripts,
  hydrated,
  layoutShift,
  PAGES,
  rendered,
  watchShifts,
} from "../../support/visiting.ts";

/** The length of each piece of `<main>` in characters: about the size of a small packet on a slow connection. */
const PIECE_LENGTH = 500;
/** More characters than fit on the first screen. The rest of `<main>` is one piece: shifts off screen don't count. */
const FIRST_SCREEN_LENGTH = 20_000;
/** About one frame at 60 Hz, so that the browser can paint after every piece. */
const PAUSE_MS = 16;

/**
 * Splits a page into the pieces that `serveSlowly` sends one at a time: the layout around `<main>` at every tag, and
 * `<main>` itself into short pieces.
 */
function piecesOf(html: string): string[] {
  const [head = "", body = ""] = html.split(/(?=<body)/);
  const [, top = "", main = "", bottom = ""] = /^(.*?)(<main.*<\/main>)(.*)$/s.exec(body) ?? [];
  const tags = (part: string) => part.split(/(?<=>)|(?=<)/);
  const [footer = "", ...scripts] = bottom.split(/(?=<script)/);
  const pieces = [
    head,
    ...tags(top),
    ...(main.slice(0, FIRST_SCREEN_LENGTH).match(new RegExp(`.{1,${PIECE_LENGTH}}`, "gs")) ?? []),
    main.slice(FIRST_SCREEN_LENGTH),
    ...tags(footer),
    ...scripts,
  ];
  // If the layout changes, the patterns above could drop parts of it, and the test would prove nothing.
  expect(pieces.join("")).toBe(html);
  return pieces;
}

async function serveSlowly(html: string, headers: Record<string, string>, origin: string) {
  const pieces = piecesOf(html);
  const server = createServer(async ({ url = "/" }, response) => {
    if (url.startsWith("/assets/")) {
      const asset = await fetch(origin + url);
      response.writeHead(200, { "Content-Type": asset.headers.get("content-type") ?? "" });
      response.end(new Uint8Array(await asset.arrayBuffer()));
      return;
    }
    response.writeHead(200, headers);
    for (const piece of pieces) {
      response.write(piece);
      await pause(PAUSE_MS);
    }
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

/** Returns the beginnings of the nodes that have shifted since the page began to load. */
function movedNodes(page: Page): Promise<string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        type Shift = PerformanceEntry & { sources: { node: Node | null }[] };
        new PerformanceObserver((list, observer) => {
          observer.disconnect();
          const shifts = list.getEntries().filter(({ entryType }) => entryType === "layout-shift");
          const sources = (shifts as Shift[]).flatMap((shift) => shift.sources);
          resolve(
            sources.map(
              ({ node }) =>
                (node instanceof Element ? node.outerHTML : node?.textContent)?.slice(0, 80) ?? "",
            ),
          );
        }).observe({ type: "layout-shift", buffered: true });
        // The observer is never called if nothing shifted. Entries for past shifts arrive by the next frame, so stop
        // waiting shortly after that frame.
        requestAnimationFrame(() => setTimeout(() => resolve([]), 100));
      }),
  );
}

const test = testOwnSite(() => openSite({ SEED: "demo" }));

test.use({ keepsMembers: true });

test.describe("the arrival of a page without its fonts", () => {
  test.use({ expectedProblems: [/Failed to load resource/] });

  for (const [width, paths] of [
    [390, PAGES],
    // The lists of all kinds have the same layout, which the narrow width checks for each of them.
    [1280, ["/", "/articles", "/profile"]],
  ] as const) {
    test(`nothing shifts while a page arrives slowly, at a width of ${width} pixels`, async ({
      context,
      site,
    }) => {
      test.setTimeout(90_000);
      // The pages arrive in separate tabs at the same time, because each of them takes seconds.
      const arrivals = paths.map(async (path) => {
        const tab = await context.newPage();
        await tab.setViewportSize({ width, height: 844 });
        // On a busy machine, fonts arrive after the first paint and move words. fonts.spec.ts is about that.
        await tab.route(/\.woff2$/, (route) => route.abort());
        const { body, headers } = await getRaw(`${site.url}${path}`);
        const slow = await serveSlowly(
          body.toString(),
          {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": String(headers["content-security-policy"]),
          },
          site.url,
        );
        await tab.goto(slow.url + path);
        const moved = await movedNodes(tab);
        // Leave the page before stopping its server, because the browser may still request the icon.
        await tab.close();
        slow.stop();
        return [path, moved];
      });
      expect(await Promise.all(arrivals)).toEqual(paths.map((path) => [path, []]));
    });
  }
});

test("a first visit loads fonts after hydration, and later pages load them at once", async ({ page }) => {
  const fonts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "font") fonts.push(request.url());
  });
  const release = await holdScripts(page);
  await page.goto("/articles", { waitUntil: "commit" });
  await page.getByRole("contentinfo").waitFor();
  // A frame is painted in the fallback fonts.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  expect(fonts).toEqual([]);
  release();
  await fontsShown(page);
  expect(fonts.length).toBeGreaterThan(1);
  await page.unrouteAll({ behavior: "wait" });

  await holdScripts(page);
  await page.goto("/useful-links", { waitUntil: "commit" });
  await fontsShown(page);
  const isLoaded = await page.evaluate(() => document.fonts.check('1rem "IBM Plex Sans"'));
  expect(isLoaded).toBe(true);
  expect(await page.locator(".start-help").count(), "hydrated").toBe(1);
});

test("card titles in Android's fallback fonts change their width by less than 3% when the site's font arrives", async ({
  playwright,
  launchOptions,
  site,
}) => {
  await using browser = await playwright.chromium.launch({ ...launchOptions, env: ANDROID_FONTS });
  const page = await browser.newPage({ viewport: { width: 1280, height: 844 } });
  const arrival = Promise.withResolvers<void>();
  await page.route(/\.woff2$/, (route) => arrival.promise.then(() => route.continue()));
  await page.goto(`${site.url}/articles`, { waitUntil: "commit" });
  await page.getByRole("contentinfo").waitFor();
  const widths = () =>
    page
      .locator(".card-title")
      .evaluateAll((titles) => titles.map((title) => title.getBoundingClientRect().width));
  const before = await widths();
  arrival.resolve();
  await fontsShown(page);
  const after = await widths();
  expect(after.length).toBeGreaterThan(5);
  for (const [index, width] of after.entries()) {
    expect(Math.abs(width / (before[index] ?? 0) - 1)).toBeLessThan(0.03);
  }
});

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
