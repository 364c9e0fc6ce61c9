export interface Figure {
  subject: string;
  asked: string;
  measured: string;
  isReached?: boolean | undefined;
}

interface Goal {
  atMost?: number;
  atLeast?: number;
  unit?: string;
  decimals?: number;
  note?: string;
}

export function shown(value: number, decimals = 0): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** The value below which `share` of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

export function figure(
  subject: string,
  value: number,
  { atMost, atLeast, unit = "", decimals = 0, note }: Goal = {},
): Figure {
  const limit = atMost ?? atLeast;
  return {
    subject,
    asked:
      limit === undefined
        ? ""
        : `${atMost === undefined ? "≥" : "≤"} ${limit.toLocaleString("en-US")} ${unit}`.trimEnd(),
    measured: `${shown(value, decimals)} ${unit}`.trimEnd() + (note ? ` (${note})` : ""),
    isReached: limit === undefined ? undefined : atMost === undefined ? value >= limit : value <= limit,
  };
}

/** Measured in turns: the median of the pairs' ratios, so that a busy moment counts on both sides. */
export function ratio(
  subject: string,
  own: readonly number[],
  other: readonly number[],
  { than, unit = "", decimals = 0, ...goal }: Goal & { than: string },
): Figure {
  const value = median(own.map((one, index) => one / (other[index] ?? Number.NaN)));
  const pair = `${shown(median(own), decimals)} / ${shown(median(other), decimals)} ${unit}`.trimEnd();
  const judged = figure(subject, value, { ...goal, decimals: 2 });
  return { ...judged, asked: `${judged.asked} × ${than}`, measured: `${pair} = ${judged.measured}` };
}

/** One line for several figures of one subject, each named by its own. */
export function together(subject: string, parts: readonly Figure[]): Figure {
  const list = (of: "asked" | "measured") =>
    parts.flatMap((part) => (part[of] ? [`${part.subject} ${part[of]}`] : [])).join(", ");
  const isReached = parts.every((part) => part.isReached !== false);
  return { subject, asked: list("asked"), measured: list("measured"), isReached };
}

export async function inTurns<T>(
  rounds: number,
  own: () => Promise<T>,
  other: () => Promise<T>,
): Promise<[T[], T[]]> {
  const results: [T[], T[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    results[0].push(await own());
    results[1].push(await other());
  }
  return results;
}
