import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { KINDS } from "../../../common/kinds/index.ts";
import { ANDROID_FONTS } from "../../support/browser.ts";
import { expect, test } from "../../support/site.ts";
import { fontsShown, getRaw, holdScripts, PAGES } from "../../support/visiting.ts";

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

test.use({ seed: "demo" });

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
        // On a busy machine, fonts arrive after the first paint and move words. The tests below are about that.
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

test("without scripts, a page loads its fonts at once", async ({ browser, site }) => {
  await using context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const font = page.waitForRequest(/\.woff2$/);
  await page.goto(site.url);
  await font;
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

test("on phones and tablets, the search fields of lists stay in place when the site's font arrives, and on all screens, the lists' headings have the same size", async ({
  page,
}) => {
  test.setTimeout(120_000);
  // Most of these widths are those at which a description has more lines in a fallback font.
  const widths = [320, 352, 384, 390, 450, 664, 686, 744];
  const paths = [...KINDS.map(({ path }) => path), "/people", "/search"];
  const headingSizes: string[][] = [];
  for (const path of paths) {
    const arrival = Promise.withResolvers<void>();
    await page.route(/\.woff2$/, (route) => arrival.promise.then(() => route.continue()));
    // The layout of an empty list takes less time, and its search field is at the same place.
    await page.goto(`${path}?q=words+that+no+item+has`, { waitUntil: "commit" });
    await page.getByRole("contentinfo").waitFor();
    const field = page.getByRole("searchbox", { name: "Search", exact: true });
    const places = async () => {
      const tops: Record<number, number | undefined> = {};
      for (const width of widths) {
        await page.setViewportSize({ width, height: 844 });
        tops[width] = (await field.boundingBox())?.y;
      }
      return tops;
    };
    const before = await places();
    arrival.resolve();
    await fontsShown(page);
    expect(await places(), path).toEqual(before);
    const heading = page.getByRole("heading", { level: 1 });
    const sizes: string[] = [];
    for (const width of [390, 1920]) {
      await page.setViewportSize({ width, height: 844 });
      sizes.push(await heading.evaluate((element) => getComputedStyle(element).fontSize));
    }
    headingSizes.push(sizes);
    await page.unrouteAll({ behavior: "wait" });
  }
  expect(headingSizes).toEqual(paths.map(() => headingSizes[0]));
});
