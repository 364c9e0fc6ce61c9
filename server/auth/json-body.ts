import { every } from "hono/combine";
import { createMiddleware } from "hono/factory";
import { upload } from "../http/admission.ts";
import { decodeUtf8, type Flaw, findFlaw, isObject } from "../http/storable-json.ts";
import type { AuthEnv, Body } from "./auth-env.ts";
import { GoTrueError } from "./auth-error.ts";

const MAX_BODY_BYTES = 64 * 1024;

const requireJson = createMiddleware<AuthEnv>(async (c, next) => {
  if (!/^application\/json *(;|$)/i.test(c.req.header("content-type") ?? "")) {
    throw new GoTrueError(415, "validation_failed", "Content-Type must be application/json");
  }
  await next();
});

const parseJson = createMiddleware<AuthEnv>(async (c, next) => {
  c.set("body", parseBody(await c.req.arrayBuffer()));
  await next();
});

/** Reads the body into `c.var.body`. A form on another site cannot send its content type. */
export const json = every(requireJson, upload(MAX_BODY_BYTES, refuseLargeBody), parseJson);

/** For sign-out, which auth-js sends without a body. */
export const emptyOrJson = createMiddleware<AuthEnv>(async (c, next) => {
  const isEmpty = !c.req.header("transfer-encoding") && Number(c.req.header("content-length") ?? 0) === 0;
  return isEmpty ? next() : json(c, next);
});

function refuseLargeBody(): never {
  const message = `Request body too large (max ${MAX_BODY_BYTES} bytes)`;
  throw new GoTrueError(413, "request_entity_too_large", message);
}

const FLAWS: Record<Flaw, string> = {
  depth: "it has too many levels",
  nul: "a text holds a NUL",
  surrogate: "a text holds half a character",
};

function parseBody(bytes: ArrayBuffer): Body {
  let parsed: unknown;
  try {
    parsed = JSON.parse(decodeUtf8(bytes));
  } catch {
    throw badJson("it is not JSON in UTF-8");
  }
  if (!isObject(parsed)) throw badJson("an object is expected");
  const flaw = findFlaw(parsed);
  if (flaw) throw badJson(FLAWS[flaw]);
  return parsed;
}

function badJson(reason: string): GoTrueError {
  return new GoTrueError(400, "bad_json", `Could not parse request body as JSON: ${reason}`);
}

function field(body: Body, name: string): unknown {
  return (Object.hasOwn(body, name) ? body[name] : undefined) ?? undefined;
}

/** "" where the field is missing or null. Throws 400 for other types, as all of these do. */
export function textField(body: Body, name: string): string {
  return optionalText(body, name) ?? "";
}

export function optionalText(body: Body, name: string): string | undefined {
  const value = field(body, name);
  if (value === undefined || typeof value === "string") return value;
  throw badJson(`"${name}" must be a string`);
}

export function booleanField(body: Body, name: string): boolean {
  const value = field(body, name) ?? false;
  if (typeof value === "boolean") return value;
  throw badJson(`"${name}" must be a boolean`);
}

export function objectField(body: Body, name: string): Body | undefined {
  const value = field(body, name);
  if (value === undefined || isObject(value)) return value;
  throw badJson(`"${name}" must be an object`);
}
