// Tests how unmodified storage clients read public pictures through the addresses that serve all buckets.
import { afterAll, describe, expect, test } from "vitest";
import { makePng, pathOf, type TestPicture } from "../support/pictures.ts";
import { startTestStorage } from "../support/storage.ts";

const storage = await startTestStorage(50 * 1024 * 1024);
const ada = await storage.signedIn();
const asAda = storage.pictures(ada.token);
const asEve = storage.pictures((await storage.signedIn()).token);
const asVisitor = storage.pictures();
const asService = storage.pictures(storage.keys.serviceKey);
afterAll(() => storage.stop());

let pictureCount = 0;

function newPicture(bytesOfNoise = 0): TestPicture {
  pictureCount += 1;
  return makePng(200, 100 + pictureCount, pictureCount, bytesOfNoise);
}

async function upload(picture: TestPicture): Promise<string> {
  const path = pathOf(ada.id, picture);
  const { error } = await asAda.upload(path, picture.bytes);
  expect(error).toBeNull();
  return path;
}

describe("reading a public picture with an unmodified client", () => {
  test.each([
    ["its owner", asAda],
    ["another member", asEve],
    ["a visitor", asVisitor],
    ["the service key", asService],
  ])("%s can download it, ask about it and find that it exists", async (_who, pictures) => {
    const picture = newPicture(300_000);
    const path = await upload(picture);
    const { data } = await pictures.download(path);
    expect(Buffer.from(await (data as Blob).arrayBuffer()).equals(picture.bytes)).toBe(true);
    expect((await pictures.info(path)).data).toMatchObject({
      name: path,
      bucketId: "pictures",
      size: picture.bytes.length,
      contentType: "image/png",
      etag: expect.any(String),
      lastModified: expect.any(String),
      createdAt: expect.any(String),
    });
    expect((await pictures.exists(path)).data).toBe(true);
  });

  test("a picture that is missing or was deleted cannot be downloaded and does not exist", async () => {
    const deleted = await upload(newPicture());
    await asAda.remove([deleted]);
    for (const path of [deleted, pathOf(ada.id, newPicture()), "x/y.png"]) {
      expect((await asVisitor.download(path)).error).toMatchObject({ statusCode: "404" });
      expect((await asVisitor.info(path)).error).toMatchObject({ statusCode: "404" });
      expect((await asVisitor.exists(path)).data).toBe(false);
    }
  });

  test.each(["", "authenticated/", "public/"])(
    "a HEAD of object/%s{bucket}/{path} tells whether a picture exists",
    async (folder) => {
      const picture = newPicture();
      const path = await upload(picture);
      const head = await storage.request(`object/${folder}pictures/${path}`, {
        method: "HEAD",
        headers: { apikey: storage.keys.anonKey },
      });
      expect([head.status, head.headers.get("content-length")]).toEqual([200, String(picture.bytes.length)]);
      const other = await storage.request(`object/${folder}secrets/${path}`, {
        method: "HEAD",
        headers: { apikey: storage.keys.anonKey },
      });
      expect(other.status).toBe(400);
    },
  );

  test("a download with a forged token is rejected", async () => {
    const path = await upload(newPicture());
    for (const address of [`object/pictures/${path}`, `object/info/pictures/${path}`]) {
      const response = await storage.request(address, { headers: { authorization: "Bearer x.y.z" } });
      expect(response.status).toBe(400);
    }
  });
});
