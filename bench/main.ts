import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Figure } from "./figures.ts";
import { rungs } from "./lab/rungs.ts";
import { toDocument, toSection } from "./report.ts";
import { api } from "./rows/api.ts";
import { bytes } from "./rows/bytes.ts";
import { cards } from "./rows/cards.ts";
import { growth } from "./rows/growth.ts";
import { list } from "./rows/list.ts";
import { member } from "./rows/member.ts";
import { memory } from "./rows/memory.ts";
import { pages } from "./rows/pages.ts";
import { paint } from "./rows/paint.ts";
import { people } from "./rows/people.ts";
import { pictures } from "./rows/pictures.ts";
import { scripts } from "./rows/scripts.ts";
import { search } from "./rows/search.ts";
import { start } from "./rows/start.ts";
import { stopSites } from "./site.ts";

const ROWS = {
  paint,
  scripts,
  bytes,
  search,
  list,
  people,
  member,
  pages,
  pictures,
  cards,
  api,
  start,
  memory,
  growth,
  rungs,
};

const names = process.argv.slice(2);
if (names.some((name) => !Object.hasOwn(ROWS, name))) {
  process.stderr.write(`Unknown benchmark. Choose from ${Object.keys(ROWS).join(", ")}.\n`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => void stopSites().finally(() => process.exit(1)));
}

const sections: string[] = [];
const measured: Figure[] = [];
try {
  for (const [name, row] of Object.entries(ROWS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const figures = await row.measure();
    measured.push(...figures);
    sections.push(toSection(row, figures));
    process.stdout.write(`${sections.at(-1)}\n`);
  }
} finally {
  await stopSites();
}
if (names.length === 0) {
  const file = path.resolve(import.meta.dirname, "../docs/performance.md");
  await writeFile(file, toDocument(sections, measured));
}
