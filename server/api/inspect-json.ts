import { LIMITS } from "../config/limits.ts";

const { jsonLevels, jsonValues, jsonFields, data } = LIMITS;

/** The reasons why a body is rejected, as ends of a sentence that starts with "The body". */
const FLAWS = {
  encoding: "is not valid UTF-8",
  syntax: "is not valid JSON",
  shape: "must be a JSON object or a list of JSON objects",
  depth: `is nested deeper than ${jsonLevels} levels`,
  rows: `contains more than ${data.rows} rows`,
  values: `contains more than ${jsonValues} values`,
  fields: `contains more than ${jsonFields} different fields`,
  nul: "contains the character NUL",
  surrogate: "contains an unpaired surrogate",
};

export type Flaw = keyof typeof FLAWS;

export class JsonError extends Error {
  override readonly name = "JsonError";
  readonly flaw: Flaw;

  constructor(flaw: Flaw) {
    super(`The body ${FLAWS[flaw]}`);
    this.flaw = flaw;
  }
}

/** The outline of a body that is one object (one row) or a list of objects. */
export interface JsonShape {
  isList: boolean;
  /** The names in any of the rows, in the order of their first occurrence. */
  fields: string[];
  /** Whether all rows have all fields. */
  areAlike: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LOWER_U = 0x75;
const ESCAPED = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));
const FIRST_PRINTABLE = 0x20;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const BLANK = /[ \t\n\r]*/y;

/**
 * Checks a body before anything builds values from it: JSON.parse of 2 MB that consist of empty lists, or of objects
 * with different fields, takes several hundred milliseconds. Stops at the first flaw and builds no values. Accepts
 * what JSON.parse accepts, except NUL and unpaired surrogates, which PostgreSQL can't store. Throws JsonError.
 */
export function inspectJson(text: string): JsonShape {
  let at = 0;
  let values = 0;
  let rows = 0;
  let fieldsOfRow = 0;
  let fewestFields = Number.POSITIVE_INFINITY;
  const lastRowWith = new Map<string, number>();
  const closings: number[] = [];

  skipBlank();
  const isList = text.charCodeAt(at) === OPEN_LIST;
  const rowDepth = isList ? 1 : 0;
  readValue();
  while (closings.length > 0) {
    skipBlank();
    const code = text.charCodeAt(at++);
    if (code === closings.at(-1)) close();
    else if (code === COMMA) readMember();
    else throw new JsonError("syntax");
  }
  skipBlank();
  if (at < text.length) throw new JsonError("syntax");
  const fields = [...lastRowWith.keys()];
  return { isList, fields, areAlike: rows === 0 || fewestFields === fields.length };

  /** Reads a string, a scalar, or the start of a list or object. */
  function readValue(): void {
    skipBlank();
    const code = text.charCodeAt(at);
    if (closings.length === rowDepth) startRow(code);
    if (++values > jsonValues) throw new JsonError("values");
    if (code === OPEN_OBJECT) open(CLOSE_OBJECT);
    else if (code === OPEN_LIST) open(CLOSE_LIST);
    else if (code === QUOTE) readString();
    else readScalar();
  }

  function startRow(code: number): void {
    if (code !== OPEN_OBJECT) throw new JsonError(Number.isNaN(code) ? "syntax" : "shape");
    if (++rows > data.rows) throw new JsonError("rows");
    fieldsOfRow = 0;
  }

  function open(closing: number): void {
    if (closings.length === jsonLevels) throw new JsonError("depth");
    closings.push(closing);
    at++;
    skipBlank();
    if (text.charCodeAt(at) === closing) {
      at++;
      close();
    } else readMember();
  }

  function close(): void {
    closings.pop();
    if (closings.length === rowDepth) fewestFields = Math.min(fewestFields, fieldsOfRow);
  }

  function readMember(): void {
    if (closings.at(-1) === CLOSE_OBJECT) readName();
    readValue();
  }

  function readName(): void {
    skipBlank();
    const start = at;
    if (text.charCodeAt(at) !== QUOTE) throw new JsonError("syntax");
    readString();
    if (closings.length === rowDepth + 1) addField(text.slice(start, at));
    skipBlank();
    if (text.charCodeAt(at++) !== COLON) throw new JsonError("syntax");
  }

  function addField(quoted: string): void {
    const name = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
    if (lastRowWith.get(name) === rows) return;
    lastRowWith.set(name, rows);
    fieldsOfRow++;
    if (lastRowWith.size > jsonFields) throw new JsonError("fields");
  }

  function readString(): void {
    for (at++; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) readEscape();
      // Also true at the end of the text, where `code` is NaN.
      else if (!(code >= FIRST_PRINTABLE)) throw new JsonError("syntax");
    }
    at++;
  }

  /** Ends at the last character of the escape sequence. */
  function readEscape(): void {
    at++;
    const code = text.charCodeAt(at);
    if (ESCAPED.has(code)) return;
    if (code !== LOWER_U) throw new JsonError("syntax");
    const unit = readUnit();
    if (unit === 0) throw new JsonError("nul");
    if (isLowSurrogate(unit)) throw new JsonError("surrogate");
    if (!isHighSurrogate(unit)) return;
    if (!text.startsWith("\\u", at + 1)) throw new JsonError("surrogate");
    at += 2;
    if (!isLowSurrogate(readUnit())) throw new JsonError("surrogate");
  }

  function readUnit(): number {
    let unit = 0;
    for (let digit = 1; digit <= 4; digit++) unit = unit * 16 + hexDigit(text.charCodeAt(at + digit));
    at += 4;
    return unit;
  }

  function readScalar(): void {
    SCALAR.lastIndex = at;
    if (!SCALAR.test(text)) throw new JsonError("syntax");
    at = SCALAR.lastIndex;
  }

  function skipBlank(): void {
    // Most JSON has no blanks, and the expression is slower than this comparison.
    if (text.charCodeAt(at) > FIRST_PRINTABLE) return;
    BLANK.lastIndex = at;
    BLANK.test(text);
    at = BLANK.lastIndex;
  }
}

/** Parses a body of one JSON object. Throws JsonError. */
export function parseObject(bytes: Uint8Array): Record<string, unknown> {
  const text = decodeUtf8(bytes);
  if (inspectJson(text).isList) throw new JsonError("shape");
  return JSON.parse(text);
}

/** Throws JsonError. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new JsonError("encoding");
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x61 + 10;
  throw new JsonError("syntax");
}
