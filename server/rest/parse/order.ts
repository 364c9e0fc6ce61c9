import { type Scanner, scan } from "./scanner.ts";

export interface OrderTerm {
  column: string;
  descending: boolean;
  nulls: "first" | "last" | undefined;
}

export function parseOrder(text: string): OrderTerm[] {
  return scan(text, "order", (scanner) => scanner.list(() => readTerm(scanner)));
}

function readTerm(scanner: Scanner): OrderTerm {
  const column = scanner.name();
  const descending = scanner.take(".desc");
  if (!descending) scanner.take(".asc");
  const nulls = scanner.take(".nullsfirst") ? "first" : scanner.take(".nullslast") ? "last" : undefined;
  return { column, descending, nulls };
}
