import { badBody } from "../rest-error.ts";
import { parsePayload } from "./body.ts";
import type { Parameter } from "./parameters.ts";
import { isReserved, parseQuery, type Query } from "./query.ts";

/** As the address has them, or as one JSON object with the names of its fields. */
export type Arguments = { names: string[] } & ({ texts: Map<string, string> } | { json: string });

const FILTER = /^(not\.)?(eq|neq|gte?|lte?|i?like|in|is)\./;
const GROUP = /^(not\.)?(and|or)$/;

/** The name of an argument decides; PostgREST takes a value that reads like a filter (`eq.1`) for one. */
export function parseCallAddress(
  parameters: Parameter[],
  known: Set<string>,
): { arguments: Arguments; query: Query } {
  const isArgument = ([name, value]: Parameter) =>
    known.has(name) || !(isReserved(name) || GROUP.test(name) || FILTER.test(value));
  const texts = new Map(parameters.filter(isArgument));
  return {
    arguments: { names: [...texts.keys()], texts },
    query: parseQuery(parameters.filter((parameter) => !isArgument(parameter))),
  };
}

export function parseCallBody(text: string): Arguments {
  const { json, list, fields } = parsePayload(text === "" ? "{}" : text, undefined);
  if (list) throw badBody("A function takes one JSON object of arguments");
  return { names: fields, json };
}
