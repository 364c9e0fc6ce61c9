import type { ActionResult } from "../../common/data/operators.ts";

/** The result of one line. `problem` is the reason if the person was not invited. */
export type Result = Partial<ActionResult> & { line: string; problem?: string };

/** An invitation that the operator has to pass on, because the site hasn't sent it. */
export interface Invited {
  line: string;
  link: string;
}

/** Returns the links that the site hasn't sent. If the mail server has rejected an email, its problem ends in the link. */
export function linksOf(results: readonly Result[]): Invited[] {
  return results.flatMap(({ line, link, problem }) => {
    const unsent = link ?? problem?.match(/https?:\S+$/)?.[0];
    return unsent === undefined ? [] : [{ line, link: unsent }];
  });
}

/** Returns the lines that failed, which the operator has to correct, before the others. */
export const failedFirst = (results: readonly Result[]): Result[] =>
  results.toSorted((a, b) => Number(a.problem === undefined) - Number(b.problem === undefined));

/** Returns a line for each invitation. Spreadsheets paste the tab as a new column. */
export const linksAsText = (invited: readonly Invited[]): string =>
  invited.map(({ line, link }) => `${line.replaceAll("\t", " ")}\t${link}`).join("\n");

/** Returns a CSV file (RFC 4180). */
export const linksAsCsv = (invited: readonly Invited[]): string =>
  [["invited", "link"], ...invited.map(({ line, link }) => [line, link])]
    .map((cells) => `${cells.map(quoted).join(",")}\r\n`)
    .join("");

/** Spreadsheets would evaluate a cell that begins with one of these characters. */
const FORMULA = /^[=+\-@\t\r]/;

const quoted = (cell: string) => `"${(FORMULA.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
