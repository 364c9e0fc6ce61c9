/** How far a drill goes: short enough for `npm test`, or as far as the figure asks. */
type Scale = "short" | "long";

/** One figure: what was asked, what was measured, and whether the one meets the other. */
export interface Figure {
  asked: string;
  measured: string;
  ok: boolean;
}

/** One row of what Techfolio has to withstand. */
export interface Drill {
  /** What `npm run drill -- NAME` calls it. */
  name: string;
  title: string;
  /** Throws when the drill itself fails. */
  run(scale: Scale): Promise<Figure[]>;
}

/** Met when there are none. */
export function none(asked: string, count: number, of: string): Figure {
  return { asked, measured: `${count} of ${of}`, ok: count === 0 };
}

/** Durations in milliseconds. */
export function within(asked: string, milliseconds: number, limit: number): Figure {
  const measured = milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : seconds(milliseconds);
  return { asked, measured, ok: milliseconds <= limit };
}

/** The smallest number that this share of them does not exceed; 0 for none. */
export function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
