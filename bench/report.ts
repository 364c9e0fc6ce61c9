import { cpus, totalmem } from "node:os";
import type { Goal, Outcome } from "./outcome.ts";

/** A goal with what was measured. */
export interface Measured {
  goal: Goal;
  outcomes: Outcome[];
  seconds: number;
}

function verdict({ isReached }: Outcome): string {
  if (isReached === undefined) return "";
  return isReached ? "ok" : "missed";
}

/** For the terminal. */
export function toLines({ goal, outcomes, seconds }: Measured): string {
  const lines = outcomes.map(
    (outcome) =>
      `  ${verdict(outcome).padEnd(6)}  ${outcome.subject}: ${outcome.measured}  [${outcome.asked}]`,
  );
  return [`${goal.title} (npm run bench -- ${goal.name}, ${Math.round(seconds)} s)`, ...lines, ""].join("\n");
}

function toTable({ goal, outcomes }: Measured): string {
  const rows = outcomes.map(
    (outcome) => `| ${outcome.subject} | ${outcome.asked} | ${outcome.measured} | ${verdict(outcome)} |`,
  );
  return [
    `## ${goal.title}`,
    "",
    goal.method,
    "",
    "| what | asked | measured | |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${cpu?.model ?? "unknown"}), ${memory} GB of memory, Node ${process.versions.node}, ${process.platform}`;
}

/** docs/performance.md. */
export function toDocument(measured: readonly Measured[]): string {
  const all = measured.flatMap(({ outcomes }) => outcomes);
  const missed = all.filter(({ isReached }) => isReached === false).length;
  return [
    "# Performance",
    "",
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${all.length - missed} of ${all.length} figures are reached.`,
    "",
    `- Machine: ${machine()}.`,
    "- Repeat it with `npm run bench`; one part of it with its name, such as `npm run bench -- search`. It starts what it needs by itself (data sets in fresh databases in a temporary folder, bare servers to compare with, Chromium) and leaves nothing behind.",
    "- What counts are ratios and counts within one run. Times are those of this machine at that moment: on a busy one everything takes longer, both sides of a ratio alike.",
    "- The counts that do not depend on the machine (bytes, requests, nodes, queries) are held by `npm test`: tests/journeys/visitor/counts.spec.ts.",
    "",
    ...measured.map(toTable),
  ].join("\n");
}
