import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "@playwright/test";
import { launchBrowser } from "./browser.ts";
import { type Measured, toDocument, toLines } from "./report.ts";
import { ROWS } from "./rows/index.ts";
import { type MeasuredSite, startMeasuredSite } from "./site.ts";

const names = process.argv.slice(2);
const known = ROWS.map(({ name }) => name);
if (names.some((name) => !known.includes(name))) {
  process.stderr.write(`The bench has no such row. Choose from ${known.join(", ")}.\n`);
  process.exit(2);
}

const sites = new Map<number, Promise<MeasuredSite>>();
let opened: Promise<Browser> | undefined;
function site(size: number): Promise<MeasuredSite> {
  const started = sites.get(size) ?? startMeasuredSite(size);
  sites.set(size, started);
  return started;
}
function browser(): Promise<Browser> {
  opened ??= launchBrowser();
  return opened;
}
async function closeBrowser(): Promise<void> {
  const used = opened;
  opened = undefined;
  await used?.then((each) => each.close());
}
async function end(): Promise<void> {
  await closeBrowser().catch(() => undefined);
  for (const each of sites.values()) await each.then(({ stop }) => stop()).catch(() => undefined);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void end().finally(() => process.exit(1)));
}

const measured: Measured[] = [];
try {
  for (const row of ROWS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const begun = performance.now();
    const figures = await row.measure({ site, browser });
    await closeBrowser();
    const done = { row, figures, seconds: (performance.now() - begun) / 1000 };
    measured.push(done);
    process.stdout.write(`${toLines(done)}\n`);
  }
} finally {
  await end();
}
if (names.length === 0) {
  await writeFile(path.resolve(import.meta.dirname, "../docs/performance.md"), toDocument(measured));
}
