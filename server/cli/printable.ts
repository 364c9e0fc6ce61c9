import type { Invocation } from "./run-command.ts";

/** Characters that are replaced with spaces, so that members' texts can't control the terminal or reorder its output. */
const CONTROL_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;

export function printableLine(text: string): string {
  return text.replace(CONTROL_CHARACTERS, " ");
}

export function printableText(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (character) => (/[\n\t]/.test(character) ? character : " "));
}

export function printRows<Row>(
  { json, print }: Pick<Invocation, "json" | "print">,
  rows: Row[],
  whenEmpty: string,
  columnsOf: (row: Row) => unknown[],
): void {
  const lines = rows.map((row) => columnsOf(row).map(String).map(printableLine).join("\t"));
  print(json ? JSON.stringify(rows, undefined, 2) : lines.join("\n") || whenEmpty);
}
