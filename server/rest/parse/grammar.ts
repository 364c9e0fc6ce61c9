import { readFileSync } from "node:fs";
import path from "node:path";
import peggy from "peggy";
import { excerpt, noAggregates, notImplemented, unreadable } from "../rest-error.ts";

const grammar = readFileSync(path.join(import.meta.dirname, "grammar.peggy"), "utf8");
const parser = peggy.generate(grammar, { allowedStartRules: ["*"] });

/** `what` names the text in error messages ("filter", "order"). Throws RestError PGRST100, PGRST123 or PGRST127. */
export function parse<Read>(
  startRule: "Select" | "Order" | "Count" | "Filter" | "Group" | "Path" | "Names",
  what: string,
  text: string,
): Read {
  try {
    return parser.parse(text, { startRule, notImplemented, noAggregates });
  } catch (error) {
    if (!(error instanceof parser.SyntaxError)) throw error;
    const { line, column } = error.location.start;
    const message = `"failed to parse ${what} (${excerpt(text)})" (line ${line}, column ${column})`;
    throw unreadable(message, error.message);
  }
}
