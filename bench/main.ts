import { writeFile } from "node:fs/promises";
import path from "node:path";
import { api } from "./benchmarks/api.ts";
import { bytes } from "./benchmarks/bytes.ts";
import { cards } from "./benchmarks/cards.ts";
import { everything } from "./benchmarks/everything.ts";
import { growth } from "./benchmarks/growth.ts";
import { list } from "./benchmarks/list.ts";
import { member } from "./benchmarks/member.ts";
import { memory } from "./benchmarks/memory.ts";
import { pages } from "./benchmarks/pages.ts";
import { paint } from "./benchmarks/paint.ts";
import { people } from "./benchmarks/people.ts";
import { photo } from "./benchmarks/photo.ts";
import { pictures } from "./benchmarks/pictures.ts";
import { scripts } from "./benchmarks/scripts.ts";
import { search } from "./benchmarks/search.ts";
import { start } from "./benchmarks/start.ts";
import { versions } from "./benchmarks/versions.ts";
import type { Figure } from "./figures.ts";
import { processes } from "./lab/processes.ts";
import { toDocument, toSection } from "./report.ts";
import { stopSites } from "./site.ts";

const BENCHMARKS = {
  paint,
  scripts,
  bytes,
  search,
  everything,
  list,
  people,
  member,
  versions,
  pages,
  pictures,
  photo,
  cards,
  api,
  start,
  memory,
  growth,
  processes,
};

const names = process.argv.slice(2);
if (names.some((name) => !Object.hasOwn(BENCHMARKS, name))) {
  process.stderr.write(`Unknown benchmark. Choose from ${Object.keys(BENCHMARKS).join(", ")}.\n`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => void stopSites().finally(() => process.exit(1)));
}

const sections: string[] = [];
const measured: Figure[] = [];
try {
  for (const [name, benchmark] of Object.entries(BENCHMARKS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    try {
      const figures = await benchmark.measure();
      measured.push(...figures);
      sections.push(await toSection(benchmark, figures));
    } catch (error) {
      // All benchmarks together take half an hour or more, so go on with the others.
      process.exitCode = 1;
      sections.push(`## ${benchmark.title}\n\nNot measured: ${(error as Error).message}\n`);
    }
    process.stdout.write(`${sections.at(-1)}\n`);
  }
} finally {
  await stopSites();
}
if (names.length === 0) {
  const file = path.resolve(import.meta.dirname, "../docs/performance.md");
  await writeFile(file, toDocument(sections, measured));
}
