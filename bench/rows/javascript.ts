import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import type { Browser } from "@playwright/test";
import { PAGES, startApplication } from "../../tests/support/visiting.ts";
import { visit } from "../browser.ts";
import { type Figure, figure, together } from "../figures.ts";
import type { Row } from "../row.ts";
import { getPage, ownPages } from "../site.ts";

/** Compressed kilobytes of the scripts that are fetched, before the first sign of intent and in all. */
function fetchedScripts(browser: Browser, url: string): Promise<{ before: number; inAll: number }> {
  return visit(browser, async (page) => {
    let bytes = 0;
    page.on("response", (response) => {
      const isScript = response.request().resourceType() === "script";
      if (isScript) bytes += Number(response.headers()["content-length"] ?? Number.NaN);
    });
    await page.goto(url, { waitUntil: "networkidle" });
    const before = bytes;
    await startApplication(page);
    await page.waitForLoadState("networkidle");
    return { before: before / 1000, inAll: bytes / 1000 };
  });
}

/** Compressed kilobytes of the scripts in the document, without data (React Router's, JSON-LD) and what is held back. */
async function inlineScripts(url: string): Promise<number> {
  const html = brotliDecompressSync((await getPage(url)).body).toString();
  const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)]
    .filter(([element]) => !/^<script type="(text\/plain|application\/ld\+json)"/.test(element))
    .flatMap(([, script = ""]) => (script.startsWith("window.__reactRouter") ? [] : script));
  return scripts.length === 0 ? 0 : brotliCompressSync(scripts.join("\n")).length / 1000;
}

export const javascript: Row = {
  name: "javascript",
  title: "JavaScript",
  method:
    "Compressed bytes of all scripts, before a reader does anything and once the application runs. /profile starts it at once.",
  async measure(bench) {
    const browser = await bench.browser();
    const site = await bench.site(60);
    const figures: Figure[] = [];
    for (const path of [...PAGES, ...(await ownPages(site))]) {
      const { before, inAll } = await fetchedScripts(browser, site.url + path);
      const inline = await inlineScripts(site.url + path);
      const early = path === "/profile" ? {} : { atMost: 1 };
      const kilobytes = { unit: "kB", decimals: 2 };
      const parts = [
        figure("before an interaction", before + inline, { ...kilobytes, ...early }),
        figure("in all", inAll + inline, { ...kilobytes, atMost: 110 }),
      ];
      figures.push(together(path, parts));
    }
    return figures;
  },
};
