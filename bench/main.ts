import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "@playwright/test";
import { buildBaseline, startBaseline } from "./baseline.ts";
import { launchBrowser } from "./browser.ts";
import type { Bench } from "./outcome.ts";
import { type Measured, toDocument, toLines } from "./report.ts";
import { GOALS } from "./rows/index.ts";
import { startMeasuredSite } from "./site.ts";

const DOCUMENT = path.resolve(import.meta.dirname, "../docs/performance.md");

/** Starts what the goals ask for, once each; a browser is one goal's own, so that none is old or in another's way. */
function createBench(): Bench & { endGoal(): Promise<void>; end(): Promise<void> } {
  let browser: Promise<Browser> | undefined;
  const endings: (() => Promise<unknown>)[] = [];
  const started = new Map<string, Promise<unknown>>();
  function once<T>(key: string, begin: () => Promise<T>): Promise<T> {
    const known = started.get(key) as Promise<T> | undefined;
    const promise = known ?? begin();
    started.set(key, promise);
    return promise;
  }
  const bench: Bench = {
    onEnd: (finish) => endings.push(finish),
    site: (size) =>
      once(`site ${size}`, async () => {
        process.stderr.write(`Loading ${size} items…\n`);
        const site = await startMeasuredSite(size);
        endings.push(() => site.stop());
        return site;
      }),
    browser() {
      browser ??= launchBrowser();
      return browser;
    },
    baseline: (size) =>
      once(`baseline ${size}`, async () => {
        const files = await once("baseline", buildBaseline);
        const server = await startBaseline(files, await bench.site(size));
        endings.push(() => server.stop());
        return server.url;
      }),
  };
  async function endGoal() {
    const used = browser;
    browser = undefined;
    await (await used)?.close();
  }
  return {
    ...bench,
    endGoal,
    async end() {
      await endGoal().catch(() => undefined);
      for (const finish of endings.reverse()) await finish().catch(() => undefined);
    },
  };
}

const names = process.argv.slice(2);
const unknown = names.filter((name) => !GOALS.some((goal) => goal.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no ${unknown.join(", ")}: choose from ${GOALS.map(({ name }) => name).join(", ")}.\n`,
  );
  process.exit(2);
}

const bench = createBench();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void bench.end().finally(() => process.exit(1)));
}
const measured: Measured[] = [];
try {
  for (const goal of GOALS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const begun = performance.now();
    const outcomes = await goal.measure(bench);
    await bench.endGoal();
    const done = { goal, outcomes, seconds: (performance.now() - begun) / 1000 };
    measured.push(done);
    process.stdout.write(`${toLines(done)}\n`);
  }
} finally {
  await bench.end();
}
if (names.length === 0) {
  await mkdir(path.dirname(DOCUMENT), { recursive: true });
  await writeFile(DOCUMENT, toDocument(measured));
  process.stdout.write("Written to docs/performance.md\n");
}
const missed = measured.flatMap(({ outcomes }) => outcomes).filter(({ isReached }) => isReached === false);
process.stdout.write(missed.length === 0 ? "Every goal is reached.\n" : `${missed.length} missed.\n`);
