/** One line of the table: what was asked, what was measured, and whether it is reached. */
export interface Outcome {
  /** What was measured, and at which size. */
  subject: string;
  asked: string;
  measured: string;
  /** None for figures that are told without being judged. */
  isReached: boolean | undefined;
}

/** One goal, measured in one run. */
export interface Goal {
  /** How the goal is called on the command line. */
  name: string;
  title: string;
  /** How it is measured, for the reader of the table. */
  method: string;
  measure(bench: Bench): Promise<Outcome[]>;
}

/** What the measurements share: data sets, servers and the browser, each started when it is first asked for. */
export interface Bench {
  /** With as many articles, links and samples. */
  site(size: number): Promise<import("./site.ts").MeasuredSite>;
  browser(): Promise<import("@playwright/test").Browser>;
  /** The address of the architecture that the specification describes, with the site's data. */
  baseline(size: number): Promise<string>;
  onEnd(finish: () => Promise<unknown>): void;
}

export function atMost(limit: number, value: number): boolean {
  return value <= limit;
}

/** The number below which the given share lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** With commas between the thousands. */
export function shown(value: number, decimals = 0): string {
  return value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
