import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import type { ApiEnv } from "../api/pipeline.ts";
import { createPublicObjects } from "./public-objects.ts";
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
