/** `short` is quick enough for `npm test`; `long` runs the promised numbers. */
type Scale = "short" | "long";

/** A goal, what was measured, and whether the goal was met. */
export interface Figure {
  goal: string;
  measured: string;
  ok: boolean;
}

/** Tests one of the promises in SECURITY.md. */
export interface Drill {
  /** The name for `npm run drill -- NAME`. */
  name: string;
  title: string;
  /** Throws if the drill itself fails. */
  run(scale: Scale): Promise<Figure[]>;
}

/** The goal is met if `count` is 0. */
export function none(goal: string, count: number, of: string): Figure {
  return { goal, measured: `${count} of ${of}`, ok: count === 0 };
}

/** Durations in milliseconds. */
export function within(goal: string, milliseconds: number, limit: number): Figure {
  const measured = milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : seconds(milliseconds);
  return { goal, measured, ok: milliseconds <= limit };
}

/** The smallest of the numbers that at least this share of them don't exceed; 0 for an empty list. */
export function quantile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
