import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import type { Session } from "@supabase/supabase-js";
import { createCommunity, storeSession } from "../../tests/support/members.ts";
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
  /** The height of the window, or the greatest height of the region. */
  height: number;
  scheme: "light" | "dark";
  arrange?(page: Page): Promise<unknown>;
  /** Shows only this region of the page. */
  region?: string;
}

const ofOperators = (region: string, height: number): Picture => ({
  file: `admin-${region.toLowerCase()}.webp`,
  path: "/admin",
  width: 1280,
  height,
  scheme: "light",
  region,
  arrange: (page) =>
    page.waitForFunction(() => !/Loading/.test(document.querySelector("main")?.textContent ?? "")),
});

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

const PICTURES_OF_OPERATORS = [
  ofOperators("Members", 900),
  ofOperators("Content", 620),
  ofOperators("Log", 420),
  ofOperators("State", 720),
];

const server = await startServer({ SEED: "demo" });
const browser = await chromium.launch({
  executablePath: process.env["CHROME_PATH"] ?? "",
  args: ["--no-sandbox"],
});
try {
  for (const picture of PICTURES) await take(browser, picture);
  // Only now: the operator's actions change the home page.
  const session = await startOperator();
  for (const picture of PICTURES_OF_OPERATORS) await take(browser, picture, session);
  await drawTouchIcon(browser);
} finally {
  await browser.close();
  await server.stop();
}

/** Adds an operator, who features one member and suspends another, so that the log has entries. */
async function startOperator() {
  const community = createCommunity(server);
  const member = await community.addMember({ full_name: "Olga Operator", username: "olga" });
  const operator = { ...member, email: "olga@techfolio.example" };
  await community.admin.auth.admin.updateUserById(operator.id, {
    email: operator.email,
    app_metadata: { role: "operator" },
  });
  const started = await community.openSession(operator);
  const headers = { authorization: `Bearer ${started.access_token}`, "content-type": "application/json" };
  const response = await fetch(`${server.url}/admin/v1/members`, { headers });
  const { rows } = (await response.json()) as { rows: { id: string }[] };
  const [featured, suspended] = rows.filter(({ id }) => id !== operator.id);
  const act = async (action: string, body: object) => {
    const address = `${server.url}/admin/v1/members/${action}`;
    const changed = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    if (!changed.ok) throw new Error(`${action} returned ${changed.status}: ${await changed.text()}`);
  };
  await act(`${featured?.id}/feature`, {});
  await act(`${suspended?.id}/suspend`, { for: "7d" });
  return started;
}

async function take(
  from: Browser,
  { file, path: address, width, height, scheme, arrange, region }: Picture,
  session?: Session,
) {
  const page = await from.newPage({ viewport: { width, height }, colorScheme: scheme });
  if (session) await storeSession(page, session);
  await page.goto(server.url + address, { waitUntil: "networkidle" });
  await hydrated(page);
  await arrange?.(page);
  // The arrangement may need fonts of other scripts.
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
  const clip = region === undefined ? undefined : await areaOf(page, region, height);
  const png = await page.screenshot({ fullPage: clip !== undefined, ...(clip && { clip }) });
  await writeFile(path.join(import.meta.dirname, file), await toWebP(from, png));
  await page.close();
}

async function areaOf(page: Page, region: string, height: number) {
  const box = await page.getByRole("region", { name: region, exact: true }).boundingBox();
  if (box === null) throw new Error(`The page has no region ${region}`);
  const margin = 16;
  return {
    x: box.x - margin,
    y: box.y - margin,
    width: box.width + 2 * margin,
    height: Math.min(box.height + 2 * margin, height),
  };
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
