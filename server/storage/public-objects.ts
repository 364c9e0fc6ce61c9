import { LRUCache } from "lru-cache";
import { parsePicturePath } from "../../app/pictures/picture-path.ts";
import { parseRange } from "./range.ts";
import type { StorageContext } from "./storage-env.ts";
import { bucketNotFound, invalidRange, objectNotFound } from "./storage-error.ts";
import { PART_BYTES, type Store, type StoredObject } from "./store.ts";

const CACHE_BYTES = 32 * 1024 * 1024;
const CACHED_OBJECTS = 10_000;
/** How long a deleted picture may still be served by a process that did not delete it. */
const OBJECT_TTL_MS = 1_000;

const PUBLIC = /\/object\/public\/([^/]+)\/(.+)$/;

const HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "accept-ranges": "bytes",
  "x-content-type-options": "nosniff",
  // Whatever a browser takes the bytes for: nothing in them runs or loads.
  "content-security-policy": "default-src 'none'; sandbox",
  // Feed readers and other sites may show them.
  "cross-origin-resource-policy": "cross-origin",
};

/** `GET object/public/{bucket}/{path}`. Small pictures are sent from memory, large ones part by part. */
export function createPublicObjects(store: Store, buckets: string[]) {
  const objects = new LRUCache<string, StoredObject>({
    max: CACHED_OBJECTS,
    ttl: OBJECT_TTL_MS,
    allowStaleOnFetchRejection: true,
    fetchMethod: (key) => {
      const [bucket = "", name = ""] = splitOnce(key);
      return store.findPublic(bucket, name);
    },
  });
  // An object's bytes never change, so parts do not expire.
  const parts = new LRUCache<string, Buffer<ArrayBuffer>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length,
    fetchMethod: (key) => {
      const [id = "", position] = splitOnce(key);
      return store.readPart(id, Number(position));
    },
  });

  async function readPart(id: string, position: number): Promise<Buffer<ArrayBuffer>> {
    const key = `${id}/${position}`;
    const bytes = parts.get(key) ?? (await parts.fetch(key));
    // Deleted since.
    if (bytes === undefined) throw objectNotFound();
    return bytes;
  }

  async function bytesOf({ id }: StoredObject, start: number, end: number) {
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

  async function serve(c: StorageContext): Promise<Response> {
    const [, bucket = "", name = ""] = PUBLIC.exec(c.req.path) ?? [];
    if (!buckets.includes(bucket)) throw bucketNotFound();
    const path = parsePicturePath(name);
    if (path === undefined) throw objectNotFound();
    const key = `${bucket}/${name}`;
    const object = objects.get(key) ?? (await objects.fetch(key));
    if (object === undefined) throw objectNotFound();

    const headers: Record<string, string> = {
      ...HEADERS,
      "content-type": object.type,
      etag: `"${path.digest}"`,
      "last-modified": object.modifiedAt.toUTCString(),
    };
    const download = c.req.query("download");
    if (download !== undefined) {
      const fileName = encodeURIComponent(download);
      headers["content-disposition"] = fileName ? `attachment; filename*=UTF-8''${fileName}` : "attachment";
    }
    if (isNotModified(c, headers)) return new Response(null, { status: 304, headers });
    const isHead = c.req.method === "HEAD";
    const range = isHead || !isRangeValid(c, headers) ? undefined : c.req.header("range");
    const part = parseRange(range, object.size);
    if (part === "unsatisfiable") {
      return invalidRange().toResponse({ "content-range": `bytes */${object.size}` });
    }
    const { start, end } = part ?? { start: 0, end: object.size };
    headers["content-length"] = String(end - start);
    if (part) headers["content-range"] = `bytes ${start}-${end - 1}/${object.size}`;
    const body = isHead ? null : await bytesOf(object, start, end);
    return new Response(body, { status: part ? 206 : 200, headers });
  }

  return {
    serve,
    /** After a deletion through this process. */
    forget: (bucket: string, names: string[]) => {
      for (const name of names) objects.delete(`${bucket}/${name}`);
    },
  };
}

function splitOnce(key: string): [string, string] {
  const at = key.indexOf("/");
  return [key.slice(0, at), key.slice(at + 1)];
}

/** RFC 9110 §13.1: If-None-Match takes precedence over If-Modified-Since. */
function isNotModified(
  c: StorageContext,
  { etag = "", "last-modified": modified = "" }: Record<string, string>,
) {
  const tags = c.req.header("if-none-match");
  if (tags !== undefined) {
    return tags.trim() === "*" || tags.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  }
  const since = Date.parse(c.req.header("if-modified-since") ?? "");
  return Date.parse(modified) <= since;
}

/** RFC 9110 §13.1.5. */
function isRangeValid(c: StorageContext, { etag, "last-modified": modified }: Record<string, string>) {
  const condition = c.req.header("if-range");
  return condition === undefined || condition === etag || condition === modified;
}
