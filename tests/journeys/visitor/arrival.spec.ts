import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { ANDROID_FONTS } from "../../support/browser.ts";
import { expect, test } from "../../support/site.ts";
import { getRaw, PAGES } from "../../support/visiting.ts";

/** Small enough that the browser paints between any two parts; packets on a slow connection are as small. */
const PIECE = 500;
/** More HTML than the first screen of any page. Shifts below it are not counted. */
const FIRST_SCREEN = 20_000;
/** About as often as the browser paints. */
const PAUSE_MS = 16;

/**
 * Splits the HTML around `<main>`, which is the same on every page, at every tag, because packets may split it anywhere.
 */
function piecesOf(html: string): string[] {
  const [head = "", body = ""] = html.split(/(?=<body)/);
  const [, top = "", main = "", bottom = ""] = /^(.*?)(<main.*<\/main>)(.*)$/s.exec(body) ?? [];
  const tags = (part: string) => part.split(/(?<=>)|(?=<)/);
  const [footer = "", ...scripts] = bottom.split(/(?=<script)/);
  const pieces = [
    head,
    ...tags(top),
    ...(main.slice(0, FIRST_SCREEN).match(new RegExp(`.{1,${PIECE}}`, "gs")) ?? []),
    main.slice(FIRST_SCREEN),
    ...tags(footer),
    ...scripts,
  ];
  // A document with another structure would lose parts here, and the test would pass for the wrong reason.
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

test.use({ seed: "demo" });

for (const width of [390, 1280]) {
  test(`nothing shifts while a page loads slowly, at ${width} pixels`, async ({ page, site }) => {
    test.setTimeout(90_000);
    await page.setViewportSize({ width, height: 844 });
    for (const path of PAGES) {
      const { body, headers } = await getRaw(`${site.url}${path}`);
      const slow = await serveSlowly(
        body.toString(),
        {
          "Content-Type": "text/html; charset=utf-8",
          "Content-Security-Policy": String(headers["content-security-policy"]),
        },
        site.url,
      );
      await page.goto(slow.url + path);
      const moved = await page.evaluate(
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
            // If nothing shifted, the observer is never called. Buffered entries arrive by the next frame.
            requestAnimationFrame(() => setTimeout(() => resolve([]), 100));
          }),
      );
      expect(moved, path).toEqual([]);
      // The browser may still be requesting the icon.
      await page.goto("about:blank");
      slow.stop();
    }
  });
}

test("on an Android, titles keep their width when the site's font arrives", async ({
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
      .locator(".entry-title")
      .evaluateAll((titles) => titles.map((title) => title.getBoundingClientRect().width));
  const before = await widths();
  arrival.resolve();
  await page.evaluate(() => document.fonts.ready);
  const after = await widths();
  expect(after.length).toBeGreaterThan(5);
  for (const [index, width] of after.entries()) {
    expect(Math.abs(width / (before[index] ?? 0) - 1)).toBeLessThan(0.03);
  }
});
