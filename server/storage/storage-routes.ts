import { Hono } from "hono";
import * as v from "valibot";
import { isUuid } from "../../common/data/addresses.ts";
import { BUCKET, MAX_PICTURE_BYTES, PICTURE_TYPES } from "../../common/pictures/picture-path.ts";
import { handleErrors } from "../api/api-errors.ts";
import { identifyCaller, memberKey } from "../api/caller.ts";
import { JsonError, parseObject } from "../api/inspect-json.ts";
import type { ApiContext, ApiEnv, Pipeline } from "../api/pipeline.ts";
import { LIMITS } from "../config/limits.ts";
import { limitComplete, limitConcurrency } from "../http/limit-concurrency.ts";
import type { AuthContext } from "../postgres/database.ts";
import { checkPicture } from "./check-picture.ts";
import { createPublicObjects } from "./public-objects.ts";
import { readUpload } from "./read-upload.ts";
import {
  accessDenied,
  bucketNotFound,
  invalidKey,
  invalidRequest,
  objectNotFound,
  routeNotFound,
  StorageError,
  toStorageError,
} from "./storage-error.ts";
import { createStore, type ListOptions } from "./store.ts";

export interface StorageDependencies {
  pipeline: Pipeline;
  picturesPerMember: number;
}

type Handler = (c: ApiContext) => Promise<Response>;

/** How many objects one request can delete, as in Supabase Storage. */
const MAX_REMOVED = 1_000;

const required = (name: string) => `body must have required property '${name}'`;

const listBody = v.object(
  {
    prefix: v.string(required("prefix")),
    limit: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 100),
    offset: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
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
export function createStorage({ pipeline, picturesPerMember }: StorageDependencies) {
  const { protect, database, tokens, log, addressOf } = pipeline;
  const store = createStore(database, picturesPerMember);
  const publicObjects = createPublicObjects(store, [BUCKET]);
  const storage = new Hono<ApiEnv>();

  const { pictures, uploads } = LIMITS.concurrency;
  const visitors = limitConcurrency(pictures, addressOf);
  const limiter = limitComplete<ApiEnv>(
    uploads,
    (c) => memberKey(c.var.caller) ?? addressOf(c),
    LIMITS.responses.others,
  );

  const identifyKeyHolder = (c: ApiContext) => identifyCaller(tokens, c.req.raw.headers);

  async function identifyUploader(c: ApiContext): Promise<AuthContext> {
    const caller = await identifyKeyHolder(c);
    uploadFolder(c, caller);
    return caller;
  }

  const upload: Handler = async (c) => {
    const { caller, bytes: body } = c.var;
    const name = objectName(c);
    const sent = readUpload(body, c.req.raw.headers, MAX_PICTURE_BYTES);
    const path = checkPicture(sent, uploadFolder(c, caller), name);
    const isUpsert = c.req.method === "PUT" || c.req.header("x-upsert") === "true";
    const object = {
      bucket: BUCKET,
      name,
      ownerId: path.userId,
      digest: path.digest,
      type: PICTURE_TYPES[path.extension],
      bytes: sent.bytes,
      userMetadata: sent.metadata,
    };
    const id = await store.add(caller, object, isUpsert);
    publicObjects.forget(BUCKET, [name]);
    return c.json({ Key: `${BUCKET}/${name}`, Id: id });
  };

  async function removeNames(c: ApiContext, names: string[]) {
    const bucket = bucketName(c);
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
    const { prefixes } = readJson(c, removeBody);
    return c.json(await removeNames(c, prefixes));
  };

  const list: Handler = async (c) => {
    const { prefix, limit, offset, search, sortBy } = readJson(c, listBody);
    const options: ListOptions = {
      bucket: bucketName(c),
      prefix: prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`,
      search,
      sortBy: sortBy.column,
      isDescending: sortBy.order === "desc",
      limit: Math.min(limit, 1_500),
      offset,
    };
    return c.json(await store.list(c.var.caller, options));
  };

  storage.onError(
    handleErrors({ log, event: "storage.failed", format: (error) => toStorageError(error).getResponse() }),
  );
  storage.get("/object/public/:bucket/*", publicObjects.serveFromMemory, visitors, publicObjects.serve);

  // storage-js' download(), info() and exists() use these addresses for all buckets. The clients send a key.
  const protectRead = protect({ identify: identifyKeyHolder, limiter: visitors });
  for (const path of ["", "/public", "/authenticated"]) {
    storage.get(`/object/info${path}/:bucket/:folder/*`, protectRead, publicObjects.info);
  }
  storage.get("/object/authenticated/:bucket/*", protectRead, publicObjects.serve);

  const json = { maxBytes: LIMITS.bodies.storageLists };
  const file = { maxBytes: MAX_PICTURE_BYTES + LIMITS.bodies.uploadForm };
  storage.post("/object/list/:bucket", protect({ identify: identifyKeyHolder, body: json, limiter }), list);
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
  storage.get("/object/:bucket/*", protectRead, publicObjects.serve);
  storage.delete(
    "/object/:bucket",
    protect({ identify: identifyKeyHolder, body: json, limiter, disk: "writes" }),
    removeMany,
  );
  const protectUpload = protect({ identify: identifyUploader, body: file, limiter, disk: "grows" });
  storage.on(["POST", "PUT"], "/object/:bucket/*", protectUpload, upload);
  storage.delete(
    "/object/:bucket/*",
    protect({ identify: identifyKeyHolder, limiter, disk: "writes" }),
    removeOne,
  );
  storage.all("*", notFound);
  return storage;
}

const notFound = (c: ApiContext) => routeNotFound(c.req.method, withoutMount(c.req.path));

function withoutMount(path: string): string {
  return path.replace(/^.*?\/storage\/v1/, "");
}

/** Throws StorageError for names that Supabase Storage rejects (its src/storage/limits.ts). */
function objectName(c: ApiContext): string {
  const name = withoutMount(c.req.path).replace(/^\/object\/[^/]+\//, "");
  if (!/^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/.test(name)) throw invalidKey(name);
  return name;
}

/** PostgreSQL rejects NUL. Other buckets that don't exist are empty, as in Supabase Storage. */
function bucketName(c: ApiContext): string {
  const bucket = c.req.param("bucket") ?? "";
  if (bucket.includes("\0")) throw bucketNotFound();
  return bucket;
}

/**
 * Returns the folder that the picture must be in, which is a member's id. Throws StorageError if the caller may not write
 * to the folder in the request's URL. A wrong name gets an error that contains the right one, once the bytes are there.
 */
function uploadFolder(c: ApiContext, { role, claims }: AuthContext): string {
  if (c.req.param("bucket") !== BUCKET) throw bucketNotFound();
  const [folder = ""] = objectName(c).split("/");
  const own = role === "service_role" ? folder : claims?.["sub"];
  if (role === "anon" || typeof own !== "string" || !isUuid(own)) throw accessDenied();
  if (isUuid(folder) && folder !== own) throw accessDenied();
  return own;
}

function readJson<Schema extends v.GenericSchema>(c: ApiContext, schema: Schema): v.InferOutput<Schema> {
  const json = parseJson(c.var.bytes);
  const { success, output, issues } = v.safeParse(schema, json, { abortEarly: true });
  if (!success) throw invalidRequest(issues[0].message);
  return output;
}

function parseJson(bytes: Uint8Array): Record<string, unknown> {
  try {
    return parseObject(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    if (error.flaw !== "syntax" && error.flaw !== "encoding") throw invalidRequest(error.message);
    const message = "Body is not valid JSON but content-type is set to 'application/json'";
    throw new StorageError(400, "FastifyError", "InvalidRequest", message);
  }
}
