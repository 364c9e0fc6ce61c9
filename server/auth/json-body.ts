import type { Context } from "hono";
import * as v from "valibot";
import { isObject, JsonError, parseObject } from "../api/inspect-json.ts";
import type { Bytes } from "../api/read-body.ts";
import { LIMITS } from "../config/limits.ts";
import type { Body } from "./auth-env.ts";
import { GoTrueError, invalid } from "./auth-error.ts";

const maxBytes = LIMITS.bodies.accounts;

function parseJson(c: Context): void {
  // A form on another site can't send this type.
  if (!/^application\/json *(;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw new GoTrueError(415, "validation_failed", "Content-Type must be application/json");
  }
  const bytes: Bytes = c.get("bytes");
  try {
    c.set("body", parseObject(bytes));
  } catch (error) {
    throw error instanceof JsonError ? badJson(error.message) : error;
  }
}

/** Requires a JSON object as the body, and parses it into `c.var.body`. */
export const json = { maxBytes, parse: parseJson };

/** For requests that clients send with or without a body, such as sign-out. */
export const emptyOrJson = {
  maxBytes,
  parse(c: Context) {
    const bytes: Bytes = c.get("bytes");
    if (bytes.length > 0) parseJson(c);
  },
};

function badJson(reason: string): GoTrueError {
  return new GoTrueError(400, "bad_json", `Could not parse request body as JSON: ${reason}`);
}

export const optionalText = v.nullish(v.string(), "");
// Don't use v.record: it would drop keys such as "constructor" from a member's metadata.
export const optionalObject = v.nullish(v.custom<Body>(isObject));

/** Returns the attributes of a body. Throws GoTrueError if one has the wrong type. */
export function readAttributes<Output>(body: Body, schema: v.GenericSchema<unknown, Output>): Output {
  const { success, output, issues } = v.safeParse(schema, body);
  if (success) return output;
  const [{ expected, path }] = issues;
  const name = String(path?.[0]?.key).slice(0, 50);
  throw expected === "never"
    ? invalid(`The attribute ${name} is not supported here`)
    : badJson(`"${name}" has the wrong type`);
}
