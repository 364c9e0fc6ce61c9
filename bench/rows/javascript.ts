import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import type { Browser, Page } from "@playwright/test";
import { startApplication, visit } from "../browser.ts";
import { getPage } from "../http.ts";
import { atMost, type Goal, type Outcome, shown } from "../outcome.ts";
import { ownPages } from "../site.ts";

const PATHS = ["/", "/articles", "/useful-links", "/sample-code", "/profile"];
const SIZE = 60;

/** Adds up the compressed bytes of a page's scripts. Call it before the page is opened. */
function countScripts(page: Page): () => number {
  let bytes = 0;
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    bytes += Number(response.headers()["content-length"] ?? Number.NaN);
  });
  return () => bytes;
}

/** Compressed bytes of the scripts, before the first sign of intent and after it. */
async function scriptBytes(browser: Browser, url: string): Promise<{ before: number; inAll: number }> {
  return visit(browser, {}, async (page) => {
    const bytes = countScripts(page);
    await page.goto(url, { waitUntil: "networkidle" });
    const before = bytes();
    await startApplication(page);
    await page.waitForLoadState("networkidle");
    return { before, inAll: bytes() };
  });
}

/** What React Router writes into a document for itself: its data and where it goes. */
const DATA = /^window\.__reactRouter/;

/** Bytes of the scripts that stand in the document, compressed by themselves. */
async function inlineBytes(origin: string, path: string): Promise<number> {
  const html = brotliDecompressSync((await getPage(origin, path)).body).toString();
  // Scripts of a held-back type do not run, nor does JSON-LD.
  const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
    .filter(([element]) => !/^<script type="(text\/plain|application\/ld\+json)"/.test(element))
    .map(([, script = ""]) => script)
    .filter((script) => !DATA.test(script));
  return scripts.length === 0 ? 0 : brotliCompressSync(scripts.join("\n")).length;
}

export const javascript: Goal = {
  name: "javascript",
  title: "JavaScript",
  method:
    "Compressed bytes of all scripts that Chromium fetches, before a reader does anything and after the application stands; the inline intent script compressed by itself.",
  async measure(bench) {
    const browser = await bench.browser();
    const site = await bench.site(SIZE);
    const outcomes: Outcome[] = [];
    for (const path of [...PATHS, ...(await ownPages(site))]) {
      const { before, inAll } = await scriptBytes(browser, site.url + path);
      const inline = await inlineBytes(site.url, path);
      // Whoever opens the profile page is about to sign in: its scripts start at once.
      const isReader = path !== "/profile";
      outcomes.push({
        subject: path,
        asked: `${isReader ? "≤ 1 kB before an interaction, " : ""}≤ 110 kB in all`,
        measured: `${shown((before + inline) / 1000, 2)} kB, ${shown((inAll + inline) / 1000, 1)} kB`,
        isReached: (!isReader || atMost(1000, before + inline)) && atMost(110_000, inAll + inline),
      });
    }
    return outcomes;
  },
};
