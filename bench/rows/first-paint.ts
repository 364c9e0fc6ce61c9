import { randomBytes } from "node:crypto";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import type { Browser } from "@playwright/test";
import { startBare } from "../bare.ts";
import { type Beginning, openAndObserve, SLOW, visit } from "../browser.ts";
import { getPage, type RawAnswer } from "../http.ts";
import { atMost, type Goal, median, type Outcome, shown } from "../outcome.ts";
import { ownPages } from "../site.ts";

const PATHS = ["/", "/articles", "/useful-links", "/sample-code"];
const SIZES = [60, 2_000, 100_000];
const VISITS = 11;

/** The same text and as many bytes on the line, without style or script. */
function barePage({ body }: RawAnswer): { body: Buffer; html: string } {
  const html = brotliDecompressSync(body)
    .toString()
    .replace(/<(style|script|noscript|svg)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<link\b[^>]*>/g, "")
    .replace(/ (class|style|data-[\w-]+|id)="[^"]*"/g, "");
  // What cannot be compressed makes up for what was taken out; it stands at the end, where nothing waits for it.
  let padding = body.length - brotliCompressSync(html).length;
  let padded = brotliCompressSync(html);
  while (padded.length < body.length) {
    padded = brotliCompressSync(`${html}<!-- ${randomBytes(padding).toString("hex")} -->`);
    padding += Math.max(1, body.length - padded.length);
  }
  return { body: padded, html };
}

async function compare(browser: Browser, site: string, bare: string, path: string) {
  const own: Beginning[] = [];
  const others: Beginning[] = [];
  // In turns, so that whatever else the machine does is spread over both.
  for (let visits = 0; visits < VISITS; visits++) {
    own.push(await visit(browser, SLOW, (page) => openAndObserve(page, site + path)));
    others.push(await visit(browser, SLOW, (page) => openAndObserve(page, bare + path)));
  }
  const paint = median(own.map((each) => each.paint));
  const barePaint = median(others.map((each) => each.paint));
  return {
    paint,
    barePaint,
    ratio: paint / barePaint,
    shift: Math.max(...own.map((each) => each.shift)),
    blocked: median(own.map((each) => each.blocked)),
  };
}

export const firstPaint: Goal = {
  name: "first-paint",
  title: "First paint with content",
  method: `Chromium on a line of 150 ms and 1.6 Mbit/s with a processor four times as slow; ${VISITS} visits each, in turns, and the middle one. The bare page has the same text and as many bytes, without style or script, from a bare node:http server.`,
  async measure(bench) {
    const browser = await bench.browser();
    const outcomes: Outcome[] = [];
    for (const size of SIZES) {
      const site = await bench.site(size);
      const paths = [...PATHS, ...(await ownPages(site))];
      const pages = await Promise.all(
        paths.map(async (path) => [path, await getPage(site.url, path)] as const),
      );
      const bare = await startBare(
        Object.fromEntries(
          pages.map(([path, page]) => [
            path,
            {
              body: barePage(page).body,
              headers: { "Content-Type": "text/html; charset=utf-8", "Content-Encoding": "br" },
            },
          ]),
        ),
      );
      for (const path of paths) {
        const { paint, barePaint, ratio, shift, blocked } = await compare(browser, site.url, bare.url, path);
        outcomes.push({
          subject: `${path}, ${shown(size)} items`,
          asked: "largest contentful paint ≤ 1.3 × bare page, shift 0, blocked ≤ 50 ms",
          measured: `${shown(paint)} / ${shown(barePaint)} ms = ${shown(ratio, 2)}, shift ${shown(shift, 3)}, blocked ${shown(blocked)} ms`,
          isReached: atMost(1.3, ratio) && shift === 0 && atMost(50, blocked),
        });
      }
      await bare.stop();
    }
    return outcomes;
  },
};
