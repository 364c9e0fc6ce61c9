/** Characters that are replaced with spaces, so that members' texts can't control the terminal or reorder its output. */
const CONTROL_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;

export function printableLine(text: string): string {
  return text.replace(CONTROL_CHARACTERS, " ");
}

export function printableText(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (character) => (/[\n\t]/.test(character) ? character : " "));
}

export function printRows<Row>(
  { json, print }: { json: boolean; print(line: string): void },
  /** The names of the columns. They are omitted from JSON and from an empty list. */
  header: string[] | undefined,
  rows: Row[],
  whenEmpty: string,
  columnsOf: (row: Row) => unknown[],
): void {
  const lines = [...(header ? [header] : []), ...rows.map(columnsOf)];
  const table = lines.map((columns) => columns.map(String).map(printableLine).join("\t")).join("\n");
  print(json ? JSON.stringify(rows, undefined, 2) : rows.length === 0 ? whenEmpty : table);
}
