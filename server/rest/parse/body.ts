import { decodeUtf8, inspectJson, JsonError } from "../../api/inspect-json.ts";
import { badBody, excerpt, RestError } from "../rest-error.ts";

export interface Payload {
  /** The rows as a JSON list, in the client's own text, because parsing would round numbers above 2^53. */
  json: string;
  isList: boolean;
  fields: string[];
}

const JSON_TYPE = /^application\/json\s*(;|$)/i;
const OTHER_CHARSET = /;\s*charset=(?!"?utf-8"?\s*(;|$))/i;

export function decodeBody(bytes: Uint8Array, headers: Headers): string {
  checkType(headers);
  return orReject(() => decodeUtf8(bytes));
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
  const { isList, fields, areAlike } = orReject(() => inspectJson(json));
  if (!listed && !areAlike) throw badBody("All object keys must match");
  return { json: isList ? json : `[${json}]`, isList, fields: listed ?? fields };
}

function orReject<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.flaw !== "nul") throw badBody(error.message);
    const details = "\\u0000 cannot be converted to text.";
    throw new RestError(400, "22P05", "unsupported Unicode escape sequence", { details });
  }
}
