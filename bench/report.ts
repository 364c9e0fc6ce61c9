import { cpus, totalmem } from "node:os";
import { drawChart } from "./chart.ts";
import type { Benchmark, Figure } from "./figures.ts";

/** Returns the benchmark's section in Markdown. Draws its chart, if it has one. */
export async function toSection(
  { title, method, chart }: Benchmark,
  figures: readonly Figure[],
): Promise<string> {
  const table = figures.reduce(
    (text, { subject, goal, measured, verdict }) =>
      `${text}| ${subject} | ${goal} | ${measured} | ${verdict} |\n`,
    `## ${title}\n\n${method}\n\n| what | goal | measured | verdict |\n| --- | --- | --- | --- |\n`,
  );
  const lines = figures.flatMap(({ line }) => line ?? []);
  return chart ? `${table}\n${await drawChart(chart, lines)}` : table;
}

export function toDocument(sections: readonly string[], figures: readonly Figure[]): string {
  const goals = figures.filter(({ verdict }) => verdict !== "");
  const reached = goals.filter(({ verdict }) => verdict === "ok").length;
  const [day] = new Date().toISOString().split("T");
  const minutes = Math.round(process.uptime() / 60);
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const head = `# Performance

Written by \`npm run bench\` on ${day} in ${minutes} minutes: ${reached} of ${goals.length} goals are reached.

- Machine: ${cpus().length} cores (${cpus()[0]?.model}), ${gigabytes} GB of memory, Node ${process.versions.node}, ${process.platform}.
- To repeat one benchmark, name it: \`npm run bench -- search\`. It starts what it needs and cleans up afterwards.
- In \`464 / 324 ms = 1.48\`, 464 ms is the site's median, 324 ms is the median of what it is compared with, and 1.48 is the median of the ratios of all rounds, which can differ from the ratio of the medians.
- Ratios and counts can be compared between machines, but times can't.
- [slow-phone.md](slow-phone.md) lists the parts of the loading time on a slow phone. [scaling.md](scaling.md) has times with 1,000,000 articles.
- \`npm test\` also limits the numbers of bytes, requests and elements (tests/journeys/visitor/counts.spec.ts) and of queries (tests/operation/queries.test.ts).
`;
  return [head, ...sections].join("\n");
}
