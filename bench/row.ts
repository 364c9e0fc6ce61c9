import type { Browser } from "@playwright/test";
import type { Figure } from "./figures.ts";
import type { MeasuredSite } from "./site.ts";

export interface Row {
  name: string;
  title: string;
  method: string;
  measure(bench: Bench): Promise<Figure[]>;
}

/** What rows share, each started when it is first asked for. */
export interface Bench {
  site(size: number): Promise<MeasuredSite>;
  /** New for each row. */
  browser(): Promise<Browser>;
}
