import type { Page } from "@playwright/test";
import { PUBLIC_PATH } from "../../common/pictures/picture-path.ts";
import { createCommunity, SESSION_KEY } from "../../tests/support/members.ts";
import { makePng, pathOf } from "../../tests/support/pictures.ts";
import { hydrated } from "../../tests/support/visiting.ts";
import { launchBrowser, SLOW, visit } from "../browser.ts";
import { type Benchmark, combine, figure, inTurns, quantile, ratio } from "../figures.ts";
import { type MeasuredSite, siteOf } from "../site.ts";

const SIZE = 600;
const PHOTO = { width: 4_000, height: 3_000 };
const KEY_PAUSE_MS = 100;
const PICTURES = 10;
const PICTURE_BYTES = 80_000;
const VISITS = 7;
/** `PerformanceObserver` doesn't report shorter events, so a key press without a report counts as this long. */
const SHORTEST_EVENT_MS = 16;

/** Returns a JPEG to upload instead of a real photo. The browser draws it from many small rectangles and encodes it. */
async function takePhoto(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async ({ width, height }) => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    for (let index = 0; index < 60_000; index++) {
      context.fillStyle = `hsl(${(index * 137) % 360} 60% 50% / 60%)`;
      context.fillRect(
        (index * 7_919) % width,
        (index * 104_729) % height,
        10 + (index % 90),
        10 + (index % 70),
      );
    }
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }, PHOTO);
  return Buffer.from(base64, "base64");
}

/** Starts recording the time from each key press until its letter is painted. */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate((durationThreshold) => {
    const durations: number[] = [];
    Object.assign(window, { durations });
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) if (name === "keydown") durations.push(duration);
    }).observe({ type: "event", durationThreshold } as PerformanceObserverInit);
  }, SHORTEST_EVENT_MS);
}

/**
 * Types while a photo is prepared and uploaded, then creates the article. Returns the milliseconds per key and the bytes
 * sent.
 */
async function publishPhoto(page: Page, { url, session }: MeasuredSite, photo: Buffer) {
  await page.addInitScript(
    ([key = "", value = ""]) => localStorage.setItem(key, value),
    [SESSION_KEY, JSON.stringify(session)],
  );
  await page.goto(`${url}/articles`);
  // On a phone, an untouched form shows only its heading.
  await page.getByRole("button", { name: "Open Form" }).click();
  const text = page.getByLabel("Content (Markdown)");
  await text.waitFor();
  let sent = 0;
  page.on("requestfinished", async (request) => {
    sent += Number((await request.allHeaders())["content-length"] ?? 0);
  });
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Add Picture" }).click();
  await watchKeys(page);
  await (await chooser).setFiles([{ name: "plan.jpg", mimeType: "image/jpeg", buffer: photo }]);
  await page.getByRole("progressbar", { name: "Uploading plan" }).waitFor();
  await text.press("Control+End");
  let keys = 0;
  while ((await page.getByRole("progressbar").count()) > 0) {
    await page.keyboard.press(keys % 6 === 5 ? "Space" : "a");
    await page.waitForTimeout(KEY_PAUSE_MS);
    keys++;
  }
  const isAdded = (await text.inputValue()).includes(PUBLIC_PATH);
  if (!isAdded) throw new Error("The photo was not added");
  await page.getByLabel("Title").fill("A photo");
  await page.getByRole("button", { name: "Create Article" }).click();
  await page.getByRole("link", { name: "Permalink to A photo" }).first().waitFor();
  const durations = await page.evaluate(() => (window as unknown as { durations: number[] }).durations);
  const unreported = Math.max(0, keys - durations.length);
  return { sent, keys: [...durations, ...Array<number>(unreported).fill(SHORTEST_EVENT_MS)] };
}

/**
 * Adds two articles with the same text, the second one with pictures between the paragraphs: the paint times show the
 * cost of the pictures. Returns the paths of the articles' pages.
 */
async function addArticles({ url, keys, member }: MeasuredSite): Promise<[string, string]> {
  const { add, admin } = createCommunity({ url, keys });
  const addresses: string[] = [];
  for (let index = 0; index < PICTURES; index++) {
    const picture = makePng(900, 600 + index, index, PICTURE_BYTES);
    const { error } = await admin.storage.from("pictures").upload(pathOf(member.id, picture), picture.bytes);
    if (error) throw error;
    addresses.push(PUBLIC_PATH + pathOf(member.id, picture));
  }
  const paragraph = "A paragraph about query plans. ".repeat(8);
  const contents = [
    addresses.map(() => paragraph),
    addresses.map((address) => `${paragraph}\n\n![Plan](${address})`),
  ];
  const paths: string[] = [];
  for (const content of contents) {
    const article = { author_id: member.id, title: "Plans", content: content.join("\n\n"), published: true };
    paths.push(`/articles/${(await add("articles", article)).id}`);
  }
  return paths as [string, string];
}

/** Returns the milliseconds to the first contentful paint, and the layout shift until every picture has loaded. */
async function openArticle(page: Page, address: string) {
  await page.goto(address);
  await hydrated(page);
  return page.evaluate(async () => {
    let shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
    for (const image of document.querySelectorAll<HTMLImageElement>(".prose img")) {
      image.scrollIntoView({ block: "center", behavior: "instant" });
      while (!image.complete) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [first] = performance.getEntriesByName("first-contentful-paint");
    return { paint: first?.startTime ?? Number.NaN, shift };
  });
}

export const photo: Benchmark = {
  title: "Pictures in the browser",
  method: `Measured in Chromium with a round trip of 150 ms, 1.6 Mbit/s and a CPU slowed down four times. *a photo*: a member types while a JPEG of ${PHOTO.width} × ${PHOTO.height} pixels is prepared and uploaded, and then creates the article. *98% of keys* and *the slowest* are times from a key press until its letter is painted. *an article with ${PICTURES} pictures*: the first paint, compared with that of the same text without pictures (medians of ${VISITS} visits to each, alternately), and the layout shift until all pictures have loaded.`,
  async measure() {
    await using browser = await launchBrowser();
    const site = await siteOf(SIZE);
    const file = await visit(browser, takePhoto);
    const { sent, keys } = await visit(browser, (page) => publishPhoto(page, site, file), SLOW);
    const [plain, illustrated] = await addArticles(site);
    const open = (path: string) => () => visit(browser, (page) => openArticle(page, site.url + path), SLOW);
    const visits = await inTurns(VISITS, open(illustrated), open(plain));
    const paints = visits.map(([own, other]): [number, number] => [own.paint, other.paint]);
    return [
      combine("a photo of 12 megapixels", [
        figure("98% of keys", quantile(keys, 0.98), {
          atMost: 100,
          unit: "ms",
          note: `${keys.length} keys`,
        }),
        figure("the slowest", Math.max(...keys), { atMost: 200, unit: "ms" }),
        figure("sent", sent / 1_000, { atMost: 400, unit: "kB" }),
      ]),
      combine(`an article with ${PICTURES} pictures`, [
        ratio("first paint", paints, { atMost: 1.1, unit: "ms", than: "without pictures" }),
        figure("shift", Math.round(1_000 * Math.max(...visits.map(([own]) => own.shift))) / 1_000, {
          atMost: 0,
          decimals: 3,
        }),
      ]),
    ];
  },
};
