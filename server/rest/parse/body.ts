import { decodeUtf8, FLAWS, findFlaw, isObject } from "../../api/storable-json.ts";
import { LIMITS } from "../../config/limits.ts";
import { badBody, excerpt, RestError } from "../rest-error.ts";

const { rows: maxRows } = LIMITS.data;

export interface Payload {
  /** The rows as a JSON list, in the client's own text, because parsing would round numbers above 2^53. */
  json: string;
  list: boolean;
  fields: string[];
}

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const OTHER_CHARSET = /;\s*charset=(?!"?utf-8"?\s*(;|$))/i;

export function decodeBody(bytes: Uint8Array, headers: Headers): string {
  checkType(headers);
  try {
    return decodeUtf8(bytes);
  } catch {
    throw badBody("The body is not valid UTF-8");
  }
}

function checkType(headers: Headers): void {
  const type = headers.get("content-type") ?? "application/json";
  if (!JSON_TYPE.test(type) || OTHER_CHARSET.test(type))
    throw badBody(`Content-Type not acceptable: ${excerpt(type)}`, 415);
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") throw badBody(`Content-Encoding not acceptable: ${excerpt(encoding)}`, 415);
}

/**
 * `listed` contains the names in the query parameter `columns`. If it is undefined, all rows must have the same fields.
 * Throws RestError PGRST102 or 22P05.
 */
export function parsePayload(json: string, listed?: string[]): Payload {
  const value = parseJson(json);
  checkStorable(value);
  const list = Array.isArray(value);
  const rows: unknown[] = list ? value : [value];
  if (rows.length > maxRows) throw badBody(`The body contains more than ${maxRows} rows`);
  if (!rows.every(isObject)) throw badBody("Every row must be a JSON object");
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const areAlike = rows.every((row) => Object.keys(row).length === fields.length);
  if (!listed && !areAlike) throw badBody("All object keys must match");
  return { json: list ? json : `[${json}]`, list, fields: listed ?? fields };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw badBody("Empty or invalid json");
  }
}

function checkStorable(value: unknown): void {
  const flaw = findFlaw(value);
  if (flaw === "nul") {
    const details = "\\u0000 cannot be converted to text.";
    throw new RestError(400, "22P05", "unsupported Unicode escape sequence", { details });
  }
  if (flaw) throw badBody(`The body ${FLAWS[flaw]}`);
}
