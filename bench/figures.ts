import type { ChartText, Line } from "./chart.ts";

export interface Benchmark {
  title: string;
  method: string;
  /** The text of a chart with the lines of all figures. */
  chart?: ChartText;
  measure(): Promise<Figure[]>;
}

export interface Figure {
  subject: string;
  goal: string;
  measured: string;
  verdict: "ok" | "missed" | "";
  line?: Line;
}

interface Goal {
  atMost?: number;
  atLeast?: number;
  unit?: string;
  decimals?: number;
  note?: string;
}

export function formatNumber(value: number, decimals = 0): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** Returns the smallest value `v` for which at least this fraction of the values is at most `v`. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

export function figure(
  subject: string,
  value: number,
  { atMost, atLeast, unit = "", decimals = 0, note }: Goal = {},
): Figure {
  const measured = `${formatNumber(value, decimals)} ${unit}`.trimEnd() + (note ? ` (${note})` : "");
  const limit = atMost ?? atLeast;
  if (limit === undefined) return { subject, goal: "", measured, verdict: "" };
  const [sign, isReached] = atMost === undefined ? ["≥", value >= limit] : ["≤", value <= limit];
  const goal = `${sign} ${limit.toLocaleString("en-US")} ${unit}`.trimEnd();
  return { subject, goal, measured, verdict: isReached ? "ok" : "missed" };
}

/**
 * Compares the median ratio of pairs with a goal. The values of a pair must be measured right after each other, so that
 * changes of the machine's load affect both.
 */
export function ratio(
  subject: string,
  pairs: readonly [own: number, other: number][],
  { than, unit = "", decimals = 0, ...goal }: Goal & { than: string },
): Figure {
  const own = median(pairs.map((pair) => pair[0]));
  const other = median(pairs.map((pair) => pair[1]));
  const value = median(pairs.map(([one, another]) => one / another));
  const judged = figure(subject, value, { ...goal, decimals: 2 });
  const both = `${formatNumber(own, decimals)} / ${formatNumber(other, decimals)} ${unit}`.trimEnd();
  return { ...judged, goal: `${judged.goal} × ${than}`, measured: `${both} = ${judged.measured}` };
}

export function combine(subject: string, parts: readonly Figure[]): Figure {
  const list = (of: "goal" | "measured") =>
    parts.flatMap((part) => (part[of] ? [`${part.subject} ${part[of]}`] : [])).join(", ");
  const verdict = parts.some((part) => part.verdict === "missed") ? "missed" : "ok";
  return { subject, goal: list("goal"), measured: list("measured"), verdict };
}

export async function inTurns<T>(
  rounds: number,
  own: () => Promise<T>,
  other: () => Promise<T>,
): Promise<[own: T, other: T][]> {
  const pairs: [T, T][] = [];
  for (let round = 0; round < rounds; round++) pairs.push([await own(), await other()]);
  return pairs;
}
