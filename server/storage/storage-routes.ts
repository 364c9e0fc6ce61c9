import { Hono, type MiddlewareHandler } from "hono";
import * as v from "valibot";
import {
  BUCKET,
  MAX_PICTURE_BYTES,
  PICTURE_TYPES,
  type PicturePath,
  parsePicturePath,
} from "../../common/pictures/picture-path.ts";
import { AuthenticationError, type Tokens } from "../auth/access-token.ts";
import { authContextOf, memberKey } from "../auth/auth-context.ts";
import { clientKey } from "../http/client-address.ts";
import { limitBody } from "../http/limit-body.ts";
import { limitConcurrency } from "../http/limit-concurrency.ts";
import type { Log } from "../http/log.ts";
import { requireFreeSpace } from "../http/require-free-space.ts";
import type { Database } from "../postgres/database.ts";
import { checkPicture } from "./check-picture.ts";
import { createPublicObjects } from "./public-objects.ts";
import { readUpload } from "./read-upload.ts";
import type { StorageContext, StorageEnv } from "./storage-env.ts";
import {
  accessDenied,
  bucketNotFound,
  invalidKey,
  invalidRequest,
  objectNotFound,
  routeNotFound,
  StorageError,
  tooLarge,
  toResponse,
} from "./storage-error.ts";
import { createStore, type ListOptions } from "./store.ts";

export interface StorageDependencies {
  database: Database;
  tokens: Tokens;
  log: Log;
  picturesPerMember: number;
  trustedProxies: number;
  isDiskFull?: (() => Promise<boolean>) | undefined;
}

type Handler = (c: StorageContext) => Promise<Response>;

/** How many objects one request can delete, as in Supabase Storage. */
const MAX_REMOVED = 1_000;
const MAX_JSON_BYTES = 256 * 1024;
const PUBLIC_REQUESTS = { total: 32, perClient: 8, queue: 128 };
const CALLER_REQUESTS = { total: 3, perClient: 2, queue: 64 };

const required = (name: string) => `body must have required property '${name}'`;

const listBody = v.object(
  {
    prefix: v.string(required("prefix")),
    limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 100),
    offset: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
    search: v.optional(v.string(), ""),
    sortBy: v.optional(
      v.object({
        column: v.picklist(
          ["name", "updated_at", "created_at", "last_accessed_at"],
          "body/sortBy/column must be equal to one of the allowed values",
        ),
        order: v.optional(v.string(), "asc"),
      }),
      { column: "name" },
    ),
  },
  required("prefix"),
);

const removeBody = v.object(
  {
    prefixes: v.pipe(
      v.array(v.string(), required("prefixes")),
      v.minLength(1, "body/prefixes must NOT have fewer than 1 items"),
      v.maxLength(MAX_REMOVED, `At most ${MAX_REMOVED} objects can be deleted per request.`),
    ),
  },
  required("prefixes"),
);

/** Serves `/storage/v1`, with the part of Supabase Storage that pictures need. */
export function createStorage({
  database,
  tokens,
  log,
  picturesPerMember,
  trustedProxies,
  isDiskFull,
}: StorageDependencies) {
  const store = createStore(database, picturesPerMember);
  const publicObjects = createPublicObjects(store, [BUCKET]);
  const storage = new Hono<StorageEnv>();

  const jsonBody = limitBody(MAX_JSON_BYTES, () => {
    throw tooLarge();
  });

  const authenticate: MiddlewareHandler<StorageEnv> = async (c, next) => {
    c.set("caller", await callerOf(tokens, c));
    await next();
  };

  const clientOf = clientKey(trustedProxies);
  const visitors = limitConcurrency(PUBLIC_REQUESTS, clientOf);
  const callers = limitConcurrency<StorageEnv>(
    CALLER_REQUESTS,
    (c) => memberKey(c.var.caller) ?? clientOf(c),
  );

  const readPicture: MiddlewareHandler<StorageEnv> = async (c, next) => {
    const path = uploadPath(c);
    const bytes = await readUpload(c.req.raw, MAX_PICTURE_BYTES);
    checkPicture(bytes, path);
    c.set("picture", { path, bytes });
    await next();
  };

  const upload: Handler = async (c) => {
    const { caller, picture } = c.var;
    const { path, bytes } = picture;
    const isUpsert = c.req.method === "PUT" || c.req.header("x-upsert") === "true";
    const name = objectName(c);
    const object = {
      bucket: BUCKET,
      name,
      ownerId: path.userId,
      digest: path.digest,
      type: PICTURE_TYPES[path.extension],
      bytes,
    };
    const id = await store.add(caller, object, isUpsert);
    return c.json({ Key: `${BUCKET}/${name}`, Id: id });
  };

  async function removeNames(c: StorageContext, names: string[]) {
    const bucket = c.req.param("bucket") ?? "";
    const removed = await store.remove(c.var.caller, bucket, names);
    publicObjects.forget(bucket, names);
    return removed;
  }

  const removeOne: Handler = async (c) => {
    const removed = await removeNames(c, [objectName(c)]);
    if (removed.length === 0) throw objectNotFound();
    return c.json({ message: "Successfully deleted" });
  };

  const removeMany: Handler = async (c) => {
    const { prefixes } = await readJson(c, removeBody);
    return c.json(await removeNames(c, prefixes));
  };

  const list: Handler = async (c) => {
    const { prefix, limit, offset, search, sortBy } = await readJson(c, listBody);
    const options: ListOptions = {
      bucket: c.req.param("bucket") ?? "",
      prefix: prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`,
      search,
      sortBy: sortBy.column,
      isDescending: sortBy.order === "desc",
      limit: Math.min(limit, 1_500),
      offset,
    };
    return c.json(await store.list(c.var.caller, options));
  };

  storage.onError((error, c) => toResponse(error, log, c.get("requestId")));
  storage.get("/object/public/:bucket/*", publicObjects.serveFromMemory, visitors, publicObjects.serve);

  if (isDiskFull !== undefined) storage.use(requireFreeSpace(isDiskFull));
  storage.post("/object/list/:bucket", authenticate, jsonBody, callers, list);
  // Reject the other endpoints of Supabase Storage. The routes below would take their names for bucket names.
  for (const name of [
    "list",
    "public",
    "sign",
    "upload",
    "copy",
    "move",
    "info",
    "authenticated",
    "list-v2",
  ]) {
    storage.all(`/object/${name}`, notFound);
    storage.all(`/object/${name}/*`, notFound);
  }
  storage.delete("/object/:bucket", authenticate, jsonBody, callers, removeMany);
  storage.post("/object/:bucket/*", authenticate, readPicture, callers, upload);
  storage.put("/object/:bucket/*", authenticate, readPicture, callers, upload);
  storage.delete("/object/:bucket/*", authenticate, callers, removeOne);
  storage.all("*", notFound);
  return storage;
}

const notFound = (c: StorageContext) => routeNotFound(c.req.method, withoutMount(c.req.path));

function withoutMount(path: string): string {
  return path.replace(/^.*?\/storage\/v1/, "");
}

async function callerOf(tokens: Tokens, c: StorageContext) {
  try {
    return await authContextOf(tokens, c.req.raw.headers);
  } catch (error) {
    const isMissing = error instanceof AuthenticationError && error.refusal === "missing";
    throw isMissing ? invalidRequest("headers must have required property 'authorization'") : error;
  }
}

/** Throws StorageError for names that Supabase Storage rejects (its src/storage/limits.ts). */
function objectName(c: StorageContext): string {
  const name = withoutMount(c.req.path).replace(/^\/object\/[^/]+\//, "");
  if (!/^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/.test(name)) throw invalidKey(name);
  return name;
}

/**
 * Returns the path of the picture in the request's URL. Throws StorageError if the client may not upload it. Must run
 * before the body is read, so that clients without permission can't make the server read an upload.
 */
function uploadPath(c: StorageContext): PicturePath {
  if (c.req.param("bucket") !== BUCKET) throw bucketNotFound();
  const { role, claims } = c.var.caller;
  const path = parsePicturePath(objectName(c));
  if (path === undefined || role === "anon") throw accessDenied();
  if (role === "authenticated" && claims?.["sub"] !== path.userId) throw accessDenied();
  return path;
}

async function readJson<Schema extends v.GenericSchema>(
  c: StorageContext,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const json = parseJson(await c.req.text());
  const { success, output, issues } = v.safeParse(schema, json, { abortEarly: true });
  if (!success) throw invalidRequest(issues[0].message);
  return output;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const message = "Body is not valid JSON but content-type is set to 'application/json'";
    throw new StorageError(400, "FastifyError", "InvalidRequest", message);
  }
}
