import { expect, type Locator, type Page, type Route } from "@playwright/test";
import { idle } from "./visiting.ts";

/**
 * Records on every page that is opened from now on what moves under a press, for `moves`. Stops the animation that shows
 * the content of `.shown-in-order` after three seconds.
 */
export async function watchMoves(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Animation.enable");
  await devtools.send("Animation.setPlaybackRate", { playbackRate: 0 });
  await page.addInitScript(() => {
    const places = new Map<Element, number>();
    const moves = new Set<string>();
    Object.assign(window, { moves });
    const record = () => {
      for (const element of document.querySelectorAll("main :is(a, button, input, select, textarea)")) {
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        const place = Math.round(element.getBoundingClientRect().top + scrollY);
        const known = places.get(element);
        places.set(element, place);
        const { ariaLabel, textContent, id } = element as HTMLElement;
        if (known !== undefined && Math.abs(place - known) > 1) moves.add(ariaLabel || textContent || id);
      }
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
  });
}

/** Returns the names of the links, buttons and fields that have moved. Requires `watchMoves`. */
export const moves = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...(window as unknown as { moves: Set<string> }).moves]);

/**
 * Opens a page and delivers the responses to these requests one at a time, until the page shows its last part.
 *
 * @param first the request that is answered first
 */
export async function deliverOneByOne(
  page: Page,
  path: string,
  requests: RegExp,
  first: "newest" | "oldest",
  last: Locator,
): Promise<void> {
  const held: Route[] = [];
  await page.route(requests, (route) => void held.push(route));
  await page.goto(path);
  while (held.length > 0 || !(await last.isVisible())) {
    await expect.poll(async () => held.length > 0 || (await last.isVisible())).toBe(true);
    // Requests that are sent together are held together.
    await idle(page);
    const route = first === "newest" ? held.pop() : held.shift();
    if (!route) continue;
    const delivered = page.waitForResponse((response) => response.request() === route.request());
    await route.continue();
    await (await delivered).finished();
    await idle(page);
  }
  await page.unroute(requests);
}
