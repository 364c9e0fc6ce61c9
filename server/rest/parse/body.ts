import { badBody, quoted, RestError } from "../rest-error.ts";

const MAX_BYTES = 1_048_576;
// More than a megabyte holds of rows with content. Of empty ones it holds a third of a million, on which PostgreSQL
// would spend 650 MB when each is filled up with defaults.
const MAX_ROWS = 20_000;
const MAX_DEPTH = 64;

/** The rows that a client sent to be written. */
export interface Payload {
  /** The text as it came, for PostgreSQL to read: numbers beyond 2^53 would not survive JavaScript. */
  json: string;
  list: boolean;
  fields: string[];
}

/**
 * Takes a request with a body, returns its text. Never holds more than a megabyte of it.
 * Throws RestError PGRST102: 413 when it is larger, 415 for anything but JSON in UTF-8, 400 for broken UTF-8.
 */
export async function readText(request: Request): Promise<string> {
  checkType(request.headers);
  const announced = request.headers.get("content-length");
  if (Number(announced) > MAX_BYTES) throw tooLarge();
  // With a length in the header the HTTP server reads no further than that, and reading at once is faster.
  const bytes = await (announced === null ? collect(request.body) : readAtOnce(request));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badBody("The body is not valid UTF-8");
  }
}

function checkType(headers: Headers): void {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "application/json")
    .toLowerCase()
    .split(";");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  if (
    type.trim() !== "application/json" ||
    (charset ?? "charset=utf-8").replaceAll('"', "") !== "charset=utf-8"
  ) {
    throw badBody(`Content-Type not acceptable: ${quoted(headers.get("content-type") ?? "")}`, 415);
  }
  const encoding = headers.get("content-encoding") ?? "identity";
  if (encoding !== "identity") throw badBody(`Content-Encoding not acceptable: ${quoted(encoding)}`, 415);
}

async function readAtOnce(request: Request): Promise<Uint8Array> {
  const bytes = await request.arrayBuffer().catch(() => {
    throw badBody("The body did not arrive whole");
  });
  if (bytes.byteLength > MAX_BYTES) throw tooLarge();
  return new Uint8Array(bytes);
}

async function collect(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof RestError ? error : badBody("The body did not arrive whole");
  }
  return Buffer.concat(chunks);
}

function tooLarge(): RestError {
  return badBody(`The body is larger than ${MAX_BYTES} bytes`, 413);
}

/**
 * Takes the text of a body and the fields that the address lists, if any, returns the rows to write. Without such
 * a list all rows must have the same fields. Throws RestError PGRST102, or 22P05 for a NUL character.
 */
export function parsePayload(json: string, listed: string[] | undefined): Payload {
  const value = parseJson(json);
  checkValue(value, 1);
  const list = Array.isArray(value);
  const rows: unknown[] = list ? value : [value];
  if (rows.length > MAX_ROWS) throw badBody(`The body holds more than ${MAX_ROWS} rows`);
  if (!rows.every(isObject)) throw badBody("All object keys must match");
  return { json, list, fields: listed ?? commonFields(rows) };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw badBody("Empty or invalid json");
  }
}

function commonFields(rows: Record<string, unknown>[]): string[] {
  const fields = Object.keys(rows[0] ?? {});
  for (const row of rows) {
    const same =
      Object.keys(row).length === fields.length && fields.every((field) => Object.hasOwn(row, field));
    if (!same) throw badBody("All object keys must match");
  }
  return fields;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkValue(value: unknown, depth: number): void {
  if (typeof value === "string") checkString(value);
  if (typeof value !== "object" || value === null) return;
  if (depth > MAX_DEPTH) throw badBody(`The body is nested deeper than ${MAX_DEPTH} levels`);
  if (!Array.isArray(value)) Object.keys(value).forEach(checkString);
  for (const inner of Array.isArray(value) ? value : Object.values(value)) checkValue(inner, depth + 1);
}

function checkString(text: string): void {
  if (text.includes("\0")) {
    throw new RestError(400, "22P05", "unsupported Unicode escape sequence", {
      details: "\\u0000 cannot be converted to text.",
    });
  }
  if (!text.isWellFormed()) throw badBody("The body holds half of a surrogate pair");
}
