import { every } from "hono/combine";
import * as v from "valibot";
import { limitBody } from "../http/limit-body.ts";
import { decodeUtf8, findFlaw, isObject } from "../http/storable-json.ts";
import type { Body, Guard } from "./auth-env.ts";
import { GoTrueError, invalid } from "./auth-error.ts";

const MAX_BODY_BYTES = 64 * 1024;

const requireJson: Guard = async (c, next) => {
  if (!/^application\/json *(;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw new GoTrueError(415, "validation_failed", "Content-Type must be application/json");
  }
  await next();
};

const parseJson: Guard = async (c, next) => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(decodeUtf8(await c.req.arrayBuffer()));
  } catch {
    throw badJson("it is not JSON in UTF-8");
  }
  if (!isObject(parsed)) throw badJson("an object is expected");
  const flaw = findFlaw(parsed);
  if (flaw) throw badJson(`it cannot be stored (${flaw})`);
  c.set("body", parsed);
  await next();
};

/** Parses a JSON body. Requires the type application/json, which a form on another site can't send. */
export const json = every(requireJson, limitBody(MAX_BODY_BYTES, refuseLargeBody), parseJson);

const parseIfPresent: Guard = async (c, next) => {
  const { byteLength } = await c.req.arrayBuffer();
  return byteLength === 0 ? next() : every(requireJson, parseJson)(c, next);
};

/** For requests that clients send with or without a body, such as sign-out. */
export const emptyOrJson = every(limitBody(MAX_BODY_BYTES, refuseLargeBody), parseIfPresent);

function refuseLargeBody(): never {
  const message = `Request body too large (max ${MAX_BODY_BYTES} bytes)`;
  throw new GoTrueError(413, "request_entity_too_large", message);
}

function badJson(reason: string): GoTrueError {
  return new GoTrueError(400, "bad_json", `Could not parse request body as JSON: ${reason}`);
}

export const text = v.nullish(v.string(), "");
// Don't use v.record: it would drop keys such as "constructor" from a member's metadata.
export const object = v.nullish(v.custom<Body>(isObject));

export function read<Output>(body: Body, schema: v.GenericSchema<unknown, Output>): Output {
  const { success, output, issues } = v.safeParse(schema, body);
  if (success) return output;
  const [{ expected, path }] = issues;
  const name = String(path?.[0]?.key).slice(0, 50);
  throw expected === "never"
    ? invalid(`The attribute ${name} is not supported here`)
    : badJson(`"${name}" has the wrong type`);
}
