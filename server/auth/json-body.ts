import type { Context } from "hono";
import { GoTrueError } from "./auth-error.ts";

/** A request's JSON object. Its fields are read with the functions below, never by trust. */
export type Body = Record<string, unknown>;

/** The largest body that is read; every field of the protocol fits many times over. */
export const mostBodyBytes = 64 * 1024;

const deepest = 64;

function badJson(reason: string): GoTrueError {
  return new GoTrueError(400, "bad_json", `Could not parse request body as JSON: ${reason}`);
}

/**
 * Takes a request, returns its body. Throws 400 `bad_json` unless it is a JSON object in UTF-8 whose texts a
 * database can keep (no NUL, no lone surrogate) and that is at most 64 levels deep.
 */
export async function readBody(c: Context): Promise<Body> {
  const bytes = await c.req.arrayBuffer();
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw badJson("it is not JSON in UTF-8");
  }
  if (!isObject(parsed)) throw badJson("an object is expected");
  checkTexts(parsed, 1);
  return parsed;
}

/** Takes a request that may come without a body, returns its body or an empty one. Throws like readBody. */
export async function readOptionalBody(c: Context): Promise<Body> {
  const bytes = await c.req.arrayBuffer();
  return bytes.byteLength === 0 ? {} : readBody(c);
}

function checkTexts(value: unknown, depth: number): void {
  if (depth > deepest) throw badJson(`it is more than ${deepest} levels deep`);
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed())) {
    throw badJson("a text holds a NUL or half a character");
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    checkTexts(key, depth);
    checkTexts(inner, depth + 1);
  }
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function field(body: Body, name: string): unknown {
  return Object.hasOwn(body, name) ? body[name] : undefined;
}

/** Takes a body and a field's name, returns its text, "" when it is missing or null. Throws 400 for other types. */
export function textField(body: Body, name: string): string {
  return optionalText(body, name) ?? "";
}

/** Like textField, with undefined for a field that is missing or null. */
export function optionalText(body: Body, name: string): string | undefined {
  const value = field(body, name) ?? undefined;
  if (value === undefined || typeof value === "string") return value;
  throw badJson(`"${name}" must be a string`);
}

/** Takes a body and a field's name, returns its boolean, false when it is missing or null. Throws 400 for other types. */
export function booleanField(body: Body, name: string): boolean {
  const value = field(body, name) ?? false;
  if (typeof value === "boolean") return value;
  throw badJson(`"${name}" must be a boolean`);
}

/** Takes a body and a field's name, returns its object, undefined when missing or null. Throws 400 for other types. */
export function objectField(body: Body, name: string): Body | undefined {
  const value = field(body, name) ?? undefined;
  if (value === undefined || isObject(value)) return value;
  throw badJson(`"${name}" must be an object`);
}
