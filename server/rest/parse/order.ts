import { parse } from "./grammar.ts";

export interface OrderTerm {
  column: string;
  descending: boolean;
  nulls: "first" | "last" | undefined;
}

export function parseOrder(text: string): OrderTerm[] {
  return parse("Order", "order", text);
}
