import { cpus, totalmem } from "node:os";
import type { Figure } from "./figures.ts";
import type { Row } from "./row.ts";

export interface Measured {
  row: Row;
  figures: Figure[];
  seconds: number;
}

const verdict = ({ isReached }: Figure) => (isReached === undefined ? "" : isReached ? "ok" : "missed");

export function toLines({ row, figures, seconds }: Measured): string {
  const head = `${row.title} (npm run bench -- ${row.name}, ${Math.round(seconds)} s)\n`;
  return figures.reduce(
    (text, each) =>
      `${text}  ${verdict(each).padEnd(6)}  ${each.subject}: ${each.measured}  [${each.asked}]\n`,
    head,
  );
}

function toTable({ row, figures }: Measured): string {
  return figures.reduce(
    (text, each) => `${text}| ${each.subject} | ${each.asked} | ${each.measured} | ${verdict(each)} |\n`,
    `## ${row.title}\n\n${row.method}\n\n| what | asked | measured | |\n| --- | --- | --- | --- |\n`,
  );
}

export function toDocument(measured: readonly Measured[]): string {
  const all = measured.flatMap(({ figures }) => figures).filter(({ isReached }) => isReached !== undefined);
  const reached = all.filter(({ isReached }) => isReached).length;
  const minutes = Math.round(measured.reduce((sum, { seconds }) => sum + seconds, 0) / 60);
  const [day] = new Date().toISOString().split("T");
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const head = `# Performance

Written by \`npm run bench\` on ${day} in ${minutes} minutes: ${reached} of ${all.length} goals are reached.

- Machine: ${cpus().length} cores (${cpus()[0]?.model}), ${gigabytes} GB of memory, Node ${process.versions.node}, ${process.platform}.
- Measure one part again with its name, such as \`npm run bench -- search\`. The bench starts what it needs and leaves nothing behind.
- Ratios and counts within one run compare between machines; times do not.
- Bytes, requests, elements and queries are also held by \`npm test\` (tests/journeys/visitor/counts.spec.ts).
`;
  return [head, ...measured.map(toTable)].join("\n");
}
