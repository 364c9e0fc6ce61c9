import { badBody } from "../rest-error.ts";
import type { Arguments } from "../sql/call.ts";
import { parsePayload } from "./body.ts";
import type { Parameter } from "./parameters.ts";
import { isReserved, parseQuery, type Query } from "./query.ts";

const FILTER = /^(not\.)?(eq|neq|gte?|lte?|i?like|in|is)\./;

/** Sorts the parameters of a GET into the function's arguments and the query about its result. */
export function parseCallAddress(
  parameters: Parameter[],
  known: Set<string>,
): { arguments: Arguments; names: string[]; query: Query } {
  const isArgument = ([name, value]: Parameter) =>
    known.has(name) || !(isReserved(name) || isGroup(name) || FILTER.test(value));
  const texts = new Map(parameters.filter(isArgument));
  const query = parseQuery(parameters.filter((parameter) => !isArgument(parameter)));
  return { arguments: { texts }, names: [...texts.keys()], query };
}

const isGroup = (name: string) => /^(not\.)?(and|or)$/.test(name);

/** Reads the JSON object of arguments of a POST; an empty body has none. Throws RestError PGRST102. */
export function parseCallBody(text: string): { arguments: Arguments; names: string[] } {
  const { json, list, fields } = parsePayload(text === "" ? "{}" : text, undefined);
  if (list) throw badBody("A function takes one JSON object of arguments");
  return { arguments: { json, fields }, names: fields };
}
