import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import type { ApiEnv } from "../api/pipeline.ts";
import { createPublicObjects } from "./public-objects.ts";
import { StorageError } from "./storage-error.ts";
import { PART_BYTES, type Store } from "./store.ts";

const NAME = `00000000-0000-4000-8000-000000000001/${"a".repeat(32)}-800x600.png`;

/** Requests a picture of `size` bytes from a store in memory. `releaseSlot` is what the limit on requests provides. */
async function requestPicture(size: number) {
  const object = { id: "1", size, type: "image/png", etag: '"1"', modifiedAt: new Date(0) };
  const store = {
    findPublic: async () => object,
    readPart: async (_id: string, position: number) =>
      Buffer.alloc(Math.min(PART_BYTES, size - position * PART_BYTES)),
  } as unknown as Store;
  const releaseSlot = vi.fn();
  const app = new Hono<ApiEnv>();
  app.use(async (c, next) => {
    c.set("releaseSlot", releaseSlot);
    await next();
  });
  app.get("/*", createPublicObjects(store, ["pictures"]).serve);
  const response = await app.request(`/object/public/pictures/${NAME}`);
  expect([response.status, (await response.bytes()).length]).toEqual([200, size]);
  return releaseSlot;
}

test("a small picture gives up its slot before it is sent, so clients that don't read it block no others", async () => {
  expect(await requestPicture(PART_BYTES)).toHaveBeenCalledOnce();
});

test("a large picture keeps its slot, because its parts must be read while it is sent", async () => {
  expect(await requestPicture(PART_BYTES + 1)).not.toHaveBeenCalled();
});

const MODIFIED = "Thu, 05 Nov 2026 01:02:03 GMT";

/** A bucket with one picture of `size` bytes. Each byte is its position modulo 251. */
function openBucket(size: number) {
  const bytes = Buffer.from(Array.from({ length: size }, (_, position) => position % 251));
  const object = {
    id: "1",
    size,
    type: "image/png",
    etag: '"1"',
    modifiedAt: new Date(MODIFIED),
    userMetadata: null,
  };
  const state = { isDeleted: false, lookups: 0, partsRead: [] as number[] };
  const store = {
    findPublic: async (bucket: string, name: string) => {
      state.lookups += 1;
      return bucket === "pictures" && name === NAME && !state.isDeleted ? object : undefined;
    },
    readPart: async (_id: string, position: number) => {
      state.partsRead.push(position);
      if (state.isDeleted) return undefined;
      return bytes.subarray(position * PART_BYTES, (position + 1) * PART_BYTES);
    },
  } as unknown as Store;
  const objects = createPublicObjects(store, ["pictures"]);
  const app = new Hono<ApiEnv>();
  app.get("/object/info/*", objects.info);
  app.get("/*", objects.serveFromMemory, objects.serve);
  app.onError((error) => (error instanceof StorageError ? error.getResponse() : Response.error()));
  const send = (
    headers: Record<string, string> = {},
    path = `object/public/pictures/${NAME}`,
    method = "GET",
  ) => app.request(`/${path}`, { headers, method });
  return { bytes, state, send, objects };
}

test.each([
  ["a whole picture of two parts", PART_BYTES + 5, undefined, 200, 0, PART_BYTES + 5],
  ["exactly one part of two", 2 * PART_BYTES, `bytes=0-${PART_BYTES - 1}`, 206, 0, PART_BYTES],
  ["exactly the second part of two", 2 * PART_BYTES, `bytes=${PART_BYTES}-`, 206, PART_BYTES, 2 * PART_BYTES],
  [
    "a range over the boundary of two parts",
    2 * PART_BYTES,
    `bytes=${PART_BYTES - 1}-${PART_BYTES}`,
    206,
    PART_BYTES - 1,
    PART_BYTES + 1,
  ],
  [
    "a range over three parts",
    3 * PART_BYTES,
    `bytes=10-${3 * PART_BYTES - 10}`,
    206,
    10,
    3 * PART_BYTES - 9,
  ],
  ["the end of the last part", 2 * PART_BYTES + 9, "bytes=-4", 206, 2 * PART_BYTES + 5, 2 * PART_BYTES + 9],
  ["a part of a small picture", 100, "bytes=10-19", 206, 10, 20],
])("%s has exactly the requested bytes", async (_, size, range, status, start, end) => {
  const { bytes, send } = openBucket(size);
  // Memory serves the second response of a small picture.
  for (let attempt = 0; attempt < 2; attempt++) {
    const response = await send(range === undefined ? {} : { range });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-length")).toBe(String(end - start));
    const part = status === 206 ? `bytes ${start}-${end - 1}/${size}` : null;
    expect(response.headers.get("content-range")).toBe(part);
    expect(bytes.subarray(start, end).equals(await response.bytes())).toBe(true);
  }
});

test("a range reads only the parts that it touches, each once", async () => {
  const { send, state } = openBucket(4 * PART_BYTES);
  const range = `bytes=${PART_BYTES}-${3 * PART_BYTES - 1}`;
  await (await send({ range })).bytes();
  await (await send({ range })).bytes();
  expect(state.partsRead).toEqual([1, 2]);
});

test("a range after the end gets 416, and HEAD has the size of the whole picture without its bytes", async () => {
  const { send, state } = openBucket(100);
  const beyond = await send({ range: "bytes=100-" });
  expect(beyond.status).toBe(416);
  expect(beyond.headers.get("content-range")).toBe("bytes */100");
  expect(beyond.headers.get("cache-control")).toBe("no-store");
  expect(await beyond.json()).toMatchObject({ statusCode: "416", code: "InvalidRange" });
  const head = await send({ range: "bytes=0-9" }, undefined, "HEAD");
  expect([head.status, head.headers.get("content-length"), head.headers.get("content-range")]).toEqual([
    200,
    "100",
    null,
  ]);
  expect(await head.text()).toBe("");
  expect(state.partsRead).toEqual([]);
});

test.each([
  [{ "if-none-match": '"1"' }, 304],
  [{ "if-none-match": '"0", W/"1"' }, 304],
  [{ "if-none-match": " * " }, 304],
  [{ "if-none-match": '"0"' }, 200],
  [{ "if-modified-since": MODIFIED }, 304],
  [{ "if-modified-since": "Thu, 05 Nov 2026 01:02:02 GMT" }, 200],
  [{ "if-modified-since": "yesterday" }, 200],
  // A tag decides alone.
  [{ "if-none-match": '"0"', "if-modified-since": MODIFIED }, 200],
  [{ range: "bytes=0-9", "if-range": '"1"' }, 206],
  [{ range: "bytes=0-9", "if-range": MODIFIED }, 206],
  [{ range: "bytes=0-9", "if-range": '"0"' }, 200],
])("a request with %j gets %i", async (headers: Record<string, string>, status) => {
  const response = await openBucket(100).send(headers);
  expect(response.status).toBe(status);
  expect(response.headers.get("etag")).toBe('"1"');
  if (status === 304) expect(await response.text()).toBe("");
});

test("browsers keep a picture for a year, other sites may show it, but no script in it runs", async () => {
  const { headers } = await openBucket(100).send();
  expect(Object.fromEntries(headers)).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "accept-ranges": "bytes",
    "content-type": "image/png",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "cross-origin",
    "last-modified": MODIFIED,
    "x-content-type-options": "nosniff",
  });
  expect(headers.get("content-disposition")).toBeNull();
});

test.each([
  ["?download", "attachment"],
  ["?download=my plan.png", "attachment; filename*=UTF-8''my%20plan.png"],
  ["?download=o'(*).png", "attachment; filename*=UTF-8''o%27%28%2A%29.png"],
])("a picture with %s is saved as a file", async (query, disposition) => {
  const { headers } = await openBucket(100).send({}, `object/public/pictures/${NAME}${query}`);
  expect(headers.get("content-disposition")).toBe(disposition);
});

test("other buckets, names that aren't pictures' and missing pictures aren't found, the first two without a query", async () => {
  const { send, state } = openBucket(100);
  const codeOf = async (path: string) => ((await (await send({}, path)).json()) as { code: string }).code;
  expect(await codeOf(`object/public/other/${NAME}`)).toBe("NoSuchBucket");
  expect(await codeOf("object/public/pictures/secret.txt")).toBe("NoSuchKey");
  expect(await codeOf("object/info/public/pictures/secret.txt")).toBe("NoSuchKey");
  expect(state.lookups).toBe(0);
  const missing = NAME.replace("800", "801");
  expect(await codeOf(`object/public/pictures/${missing}`)).toBe("NoSuchKey");
  expect(await codeOf(`object/info/public/pictures/${missing}`)).toBe("NoSuchKey");
});

test("a picture's description has its size, type and times", async () => {
  const response = await openBucket(100).send({}, `object/info/public/pictures/${NAME}`);
  expect(await response.json()).toEqual({
    id: "1",
    version: "1",
    name: NAME,
    bucket_id: "pictures",
    size: 100,
    content_type: "image/png",
    cache_control: "public, max-age=31536000, immutable",
    etag: '"1"',
    metadata: {},
    last_modified: new Date(MODIFIED).toISOString(),
    created_at: new Date(MODIFIED).toISOString(),
  });
});

test("a small picture is read once, but memory no longer serves it after its deletion", async () => {
  const { send, state, objects } = openBucket(100);
  for (let attempt = 0; attempt < 3; attempt++) expect((await send()).status).toBe(200);
  expect(state).toMatchObject({ lookups: 1, partsRead: [0] });
  state.isDeleted = true;
  objects.forget("pictures", ["other.png", NAME]);
  expect((await send()).status).toBe(400);
});

test("a picture that is deleted between its lookup and its read isn't found", async () => {
  const { send, state } = openBucket(100);
  await send({}, undefined, "HEAD");
  state.isDeleted = true;
  expect(((await (await send()).json()) as { code: string }).code).toBe("NoSuchKey");
});
