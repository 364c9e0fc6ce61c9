/** `short` is quick enough for `npm test`. `long` repeats more often, for `npm run drill`. */
type Scale = "short" | "long";

/** A goal of a drill, what was measured, and whether the drill reached the goal. */
export interface Figure {
  goal: string;
  measured: string;
  ok: boolean;
}

/** A test that measures whether the site keeps a promise, such as one in SECURITY.md, for example during an attack. */
export interface Drill {
  /** The name that `npm run drill -- NAME` accepts. */
  name: string;
  title: string;
  /** Throws if an unexpected error prevents the measurement. */
  run(scale: Scale): Promise<Figure[]>;
}

/** A goal that is reached if `count` is 0. `of` is the total, such as `20 responses`. */
export function none(goal: string, count: number, of: string): Figure {
  return { goal, measured: `${count} of ${of}`, ok: count === 0 };
}

/** A goal that is reached if the duration does not exceed the limit. Both are in milliseconds. */
export function within(goal: string, milliseconds: number, limit: number): Figure {
  const measured = milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : seconds(milliseconds);
  return { goal, measured, ok: milliseconds <= limit };
}

/** Returns the quantile by the nearest-rank method (a `fraction` of 0.5 gives the median), or 0 for an empty list. */
export function quantile(numbers: number[], fraction: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? 0;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
