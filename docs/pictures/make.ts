import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { startServer } from "../../tests/support/server.ts";
import { hydrated } from "../../tests/support/visiting.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const TOUCH_ICON_PIXELS = 180;
const PAPER = "#f6f6f1";
const WEBP_QUALITY = 0.85;

interface Picture {
  file: string;
  path: string;
  width: number;
  height: number;
  scheme: "light" | "dark";
  arrange?(page: Page): Promise<unknown>;
}

const PICTURES: Picture[] = [
  { file: "home.webp", path: "/", width: 1280, height: 980, scheme: "light" },
  {
    file: "search.webp",
    path: "/articles?q=explain",
    width: 1280,
    height: 800,
    scheme: "light",
    arrange: (page) => page.waitForFunction(() => CSS.highlights.get("search")?.size),
  },
  { file: "links-dark.webp", path: "/useful-links", width: 1280, height: 800, scheme: "dark" },
];

const server = await startServer({ SEED: "demo" });
const browser = await chromium.launch({
  executablePath: process.env["CHROME_PATH"] ?? "",
  args: ["--no-sandbox"],
});
try {
  for (const picture of PICTURES) await take(browser, server.url, picture);
  await drawTouchIcon(browser);
} finally {
  await browser.close();
  await server.stop();
}

async function take(
  from: Browser,
  origin: string,
  { file, path: address, width, height, scheme, arrange }: Picture,
) {
  const page = await from.newPage({ viewport: { width, height }, colorScheme: scheme });
  await page.goto(origin + address, { waitUntil: "networkidle" });
  await hydrated(page);
  await arrange?.(page);
  await writeFile(path.join(import.meta.dirname, file), await toWebP(from, await page.screenshot()));
  await page.close();
}

async function toWebP(from: Browser, png: Buffer): Promise<Buffer> {
  const page = await from.newPage();
  const address = await page.evaluate(
    async ({ source, quality }) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", quality);
    },
    { source: `data:image/png;base64,${png.toString("base64")}`, quality: WEBP_QUALITY },
  );
  await page.close();
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64");
}

async function drawTouchIcon(from: Browser): Promise<void> {
  const viewport = { width: TOUCH_ICON_PIXELS, height: TOUCH_ICON_PIXELS };
  const page = await from.newPage({ viewport, colorScheme: "light" });
  const mark = await readFile(path.join(ROOT, "public/favicon.svg"), "utf8");
  await page.setContent(
    `<style>body{margin:0;background:${PAPER}}svg{display:block;width:72%;margin:14%}</style>${mark}`,
  );
  await writeFile(path.join(ROOT, "public/apple-touch-icon.png"), await page.screenshot());
  await page.close();
}
