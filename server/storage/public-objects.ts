import type { Handler, MiddlewareHandler } from "hono";
import { LRUCache } from "lru-cache";
import { parsePicturePath } from "../../common/pictures/picture-path.ts";
import type { ApiContext, ApiEnv } from "../api/pipeline.ts";
import { type ByteRange, parseRange } from "./range.ts";
import { bucketNotFound, invalidRange, objectNotFound } from "./storage-error.ts";
import { PART_BYTES, type Store, type StoredObject } from "./store.ts";

const CACHE_BYTES = 32 * 1024 * 1024;
const MAX_OBJECTS = 10_000;
/**
 * How long this process may serve a picture that another process has deleted, or that was deleted with its owner's
 * account. While the database is down, it may do so for longer.
 */
const OBJECT_TTL_MS = 1_000;

const PUBLIC = /\/object\/(?:info\/)?(?:public\/|authenticated\/)?([^/]+)\/(.+)$/;

const HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "accept-ranges": "bytes",
  "x-content-type-options": "nosniff",
  // Even if a browser treats a picture as a page, nothing in it can run or load.
  "content-security-policy": "default-src 'none'; sandbox",
  // Allow feed readers and other sites to show pictures.
  "cross-origin-resource-policy": "cross-origin",
};

/**
 * Serves the pictures in public buckets, and their metadata. Streams large pictures, so that they don't fill the memory.
 */
export function createPublicObjects(store: Store, buckets: string[]) {
  const objects = new LRUCache<string, StoredObject>({
    max: MAX_OBJECTS,
    ttl: OBJECT_TTL_MS,
    allowStaleOnFetchRejection: true,
    fetchMethod: (key) => {
      const [bucket = "", name = ""] = splitOnce(key);
      return store.findPublic(bucket, name);
    },
  });
  // An object's bytes never change, so cached parts don't expire.
  const parts = new LRUCache<string, Buffer<ArrayBuffer>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length,
    fetchMethod: (key) => {
      const [id = "", position] = splitOnce(key);
      return store.readPart(id, Number(position));
    },
  });

  const partKey = (id: string, position: number) => `${id}/${position}`;

  async function readPart(id: string, position: number): Promise<Buffer<ArrayBuffer>> {
    const bytes = await parts.fetch(partKey(id, position));
    // The object was deleted while it was being read.
    if (bytes === undefined) throw objectNotFound();
    return bytes;
  }

  async function readBody({ id }: StoredObject, { start, end }: ByteRange) {
    const first = Math.floor(start / PART_BYTES);
    const last = Math.floor((end - 1) / PART_BYTES);
    const cut = (bytes: Buffer<ArrayBuffer>, position: number) =>
      bytes.subarray(Math.max(0, start - position * PART_BYTES), end - position * PART_BYTES);
    if (first === last) return cut(await readPart(id, first), first);
    let position = first;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        controller.enqueue(cut(await readPart(id, position), position));
        position += 1;
        if (position > last) controller.close();
      },
    });
  }

  const serve: Handler<ApiEnv> = async (c) => {
    const { key } = locate(c, buckets);
    const object = await objects.fetch(key);
    if (object === undefined) throw objectNotFound();
    const { init, range } = respondTo(c, object);
    const body = range && (await readBody(object, range));
    // A small picture is in memory now, where other clients share it.
    if (object.size <= PART_BYTES) c.get("releaseSlot")?.();
    return new Response(body, init);
  };

  /** Describes a picture, like `/object/info/{bucket}/{path}` in Supabase Storage. */
  const info: Handler<ApiEnv> = async (c) => {
    const { key } = locate(c, buckets);
    const object = await objects.fetch(key);
    if (object === undefined) throw objectNotFound();
    const { id, size, type, etag, userMetadata, modifiedAt } = object;
    const [bucket, name] = splitOnce(key);
    return c.json({
      id,
      version: id,
      name,
      bucket_id: bucket,
      size,
      content_type: type,
      cache_control: HEADERS["cache-control"],
      etag,
      metadata: userMetadata ?? {},
      last_modified: modifiedAt,
      created_at: modifiedAt,
    });
  };

  /** Serves cached small pictures. Doesn't use the database, so mount it before the concurrency limit. */
  const serveFromMemory: MiddlewareHandler<ApiEnv> = async (c, next) => {
    const object = objects.get(locate(c, buckets).key);
    const bytes = object && object.size <= PART_BYTES ? parts.get(partKey(object.id, 0)) : undefined;
    if (object === undefined || bytes === undefined) return next();
    const { init, range } = respondTo(c, object);
    return new Response(range && bytes.subarray(range.start, range.end), init);
  };

  return {
    serve,
    info,
    serveFromMemory,
    /** Must be called after a request to delete objects, so that they are no longer served from the cache. */
    forget: (bucket: string, names: string[]) => {
      for (const name of names) objects.delete(`${bucket}/${name}`);
    },
  };
}

/** Throws StorageError if the bucket isn't one of `buckets`, or if the name isn't a picture's. */
function locate(c: ApiContext, buckets: string[]): { key: string } {
  const [, bucket = "", name = ""] = PUBLIC.exec(c.req.path) ?? [];
  if (!buckets.includes(bucket)) throw bucketNotFound();
  if (parsePicturePath(name) === undefined) throw objectNotFound();
  return { key: `${bucket}/${name}` };
}

/** Returns the status, the headers and the range of bytes to send, or null if there is no body. Throws StorageError. */
function respondTo(c: ApiContext, object: StoredObject) {
  const headers: Record<string, string> = {
    ...HEADERS,
    "content-type": object.type,
    etag: object.etag,
    "last-modified": object.modifiedAt.toUTCString(),
  };
  const download = c.req.query("download");
  if (download !== undefined) {
    // RFC 8187 also requires these characters to be escaped, which encodeURIComponent leaves unchanged.
    const fileName = encodeURIComponent(download).replace(
      /['()*]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    headers["content-disposition"] = fileName ? `attachment; filename*=UTF-8''${fileName}` : "attachment";
  }
  if (isNotModified(c, headers)) return { init: { status: 304, headers }, range: null };
  const isHead = c.req.method === "HEAD";
  const part = parseRange(
    isHead || !isRangeValid(c, headers) ? undefined : c.req.header("range"),
    object.size,
  );
  if (part === "unsatisfiable") throw invalidRange(object.size);
  const range = part ?? { start: 0, end: object.size };
  headers["content-length"] = String(range.end - range.start);
  if (part) headers["content-range"] = `bytes ${part.start}-${part.end - 1}/${object.size}`;
  return { init: { status: part ? 206 : 200, headers }, range: isHead ? null : range };
}

function splitOnce(key: string): [string, string] {
  const at = key.indexOf("/");
  return [key.slice(0, at), key.slice(at + 1)];
}

/** Whether the client's copy is current. `If-None-Match` takes precedence over `If-Modified-Since` (RFC 9110 §13.1). */
function isNotModified(c: ApiContext, { etag = "", "last-modified": modified = "" }: Record<string, string>) {
  const tags = c.req.header("if-none-match");
  if (tags !== undefined) {
    return tags.trim() === "*" || tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  }
  const since = Date.parse(c.req.header("if-modified-since") ?? "");
  return Date.parse(modified) <= since;
}

/** Whether the header `If-Range` (RFC 9110 §13.1.5) allows a response with only a part of the object. */
function isRangeValid(c: ApiContext, { etag, "last-modified": modified }: Record<string, string>) {
  const condition = c.req.header("if-range");
  return condition === undefined || condition === etag || condition === modified;
}
