import { Scanner } from "./scanner.ts";

const MAX_TERMS = 20;

export interface OrderTerm {
  column: string;
  descending: boolean;
  nulls: "first" | "last" | undefined;
}

export function parseOrder(text: string): OrderTerm[] {
  const scanner = new Scanner(text, "order");
  const terms: OrderTerm[] = [];
  do {
    scanner.skipBlanks();
    terms.push(readTerm(scanner));
    scanner.skipBlanks();
    if (terms.length > MAX_TERMS) throw scanner.unexpected(`at most ${MAX_TERMS} columns`);
  } while (scanner.take(","));
  scanner.expectEnd();
  return terms;
}

function readTerm(scanner: Scanner): OrderTerm {
  const column = scanner.name();
  const descending = scanner.take(".desc");
  if (!descending) scanner.take(".asc");
  const nulls = scanner.take(".nullsfirst") ? "first" : scanner.take(".nullslast") ? "last" : undefined;
  return { column, descending, nulls };
}
