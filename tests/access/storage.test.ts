// Tests `/storage/v1` with an unmodified storage-js client: members' own pictures, and attacks on other members' pictures.
import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { PART_BYTES } from "../../server/storage/store.ts";
import {
  makeAvifHeader,
  makeGif,
  makeJpegHeader,
  makePng,
  makeWebpHeader,
  pathOf,
  type TestPicture,
} from "../support/pictures.ts";
import { startTestStorage } from "../support/storage.ts";

const QUOTA = 12 * 1024 * 1024;
const storage = await startTestStorage(QUOTA);
const ada = await storage.signedIn();
const eve = await storage.signedIn();
const asAda = storage.pictures(ada.token);
const asEve = storage.pictures(eve.token);
const asVisitor = storage.pictures();
const asService = storage.pictures(storage.keys.serviceKey);
afterAll(() => storage.stop());

const denied = { status: 400, statusCode: "403", message: "new row violates row-level security policy" };
let pictureCount = 0;

/** Returns a picture that differs from all earlier ones, so that its path in the bucket is new too. */
function newPicture(bytesOfNoise = 0): TestPicture {
  pictureCount += 1;
  return makePng(200, 100 + pictureCount, pictureCount, bytesOfNoise);
}

async function upload(picture: TestPicture, options = {}): Promise<string> {
  const path = pathOf(ada.id, picture);
  const { error } = await asAda.upload(path, picture.bytes, options);
  expect(error).toBeNull();
  return path;
}

const getPublic = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  storage.request(`object/public/pictures/${path}`, { method, headers });

async function objects(): Promise<unknown[]> {
  const { rows } = await storage.admin.query(
    `select o.*, count(p.*)::int as parts, sum(length(bytes))::int as bytes
     from storage.objects o left join storage.object_parts p on p.object_id = o.id group by o.id order by o.id`,
  );
  return rows;
}

describe("a member's pictures", () => {
  test.each([
    makePng(3, 2),
    makeGif(6, 5),
    makeJpegHeader(40, 30),
    makeWebpHeader(80, 60),
    makeAvifHeader(9, 7),
  ])(
    "a member can upload, list and remove a $extension picture, and visitors can read it",
    async (picture) => {
      const path = pathOf(ada.id, picture);
      const { data, error } = await asAda.upload(path, picture.bytes, { contentType: "text/html" });
      expect(error).toBeNull();
      expect(data).toEqual({
        path,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        fullPath: `pictures/${path}`,
      });

      const address = new URL(asVisitor.getPublicUrl(path).data.publicUrl);
      const response = await storage.app.request(address.href);
      expect(response.status).toBe(200);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(picture.bytes);
      const type = { png: "png", gif: "gif", jpg: "jpeg", webp: "webp", avif: "avif" }[picture.extension];
      expect(response.headers.get("content-type")).toBe(`image/${type}`);

      const listed = await asAda.list(ada.id);
      const name = path.slice(ada.id.length + 1);
      expect(listed.data?.find((each) => each.name === name)).toMatchObject({
        id: data?.id,
        metadata: { size: picture.bytes.length, mimetype: `image/${type}` },
      });

      const removed = await asAda.remove([path]);
      expect(removed.data).toMatchObject([{ name: path, bucket_id: "pictures", owner_id: ada.id }]);
      expect((await getPublic(path)).status).toBe(400);
      expect((await asAda.list(ada.id)).data).toEqual([]);
    },
  );

  test("a picture that is uploaded as a Blob keeps its bytes", async () => {
    const picture = newPicture(300_000);
    const path = pathOf(ada.id, picture);
    const { error } = await asAda.upload(path, new Blob([picture.bytes], { type: "image/png" }));
    expect(error).toBeNull();
    expect(Buffer.from(await (await getPublic(path)).arrayBuffer())).toEqual(picture.bytes);
    await asAda.remove([path]);
  });

  test("uploading a picture again stores no second copy, and fails only without upsert", async () => {
    const picture = newPicture();
    const path = await upload(picture);
    const before = await objects();
    const again = await asAda.upload(path, picture.bytes);
    expect(again.error).toMatchObject({
      status: 400,
      statusCode: "409",
      message: "The resource already exists",
    });
    expect((await asAda.upload(path, picture.bytes, { upsert: true })).error).toBeNull();
    expect((await asAda.update(path, picture.bytes)).error).toBeNull();
    expect(await objects()).toHaveLength(before.length);
    await asAda.remove([path]);
  });

  test("a member can sort, search and page through the list of their pictures", async () => {
    const paths = [await upload(newPicture()), await upload(newPicture()), await upload(newPicture())];
    const names = paths.map((path) => path.slice(ada.id.length + 1)).sort();
    const list = async (options = {}) => (await asAda.list(ada.id, options)).data?.map(({ name }) => name);
    expect(await list()).toEqual(names);
    expect(await list({ sortBy: { column: "name", order: "desc" } })).toEqual(names.toReversed());
    expect(await list({ limit: 1, offset: 1 })).toEqual([names[1]]);
    expect(await list({ search: names[2]?.slice(0, 10) })).toEqual([names[2]]);
    expect(await list({ sortBy: { column: "created_at", order: "asc" } })).toEqual(
      paths.map((path) => path.slice(ada.id.length + 1)),
    );
    expect((await asAda.list()).data).toMatchObject([{ name: ada.id, id: null, metadata: null }]);
    const removed = await asAda.remove(paths);
    expect(removed.data).toHaveLength(3);
  });

  test("a picture that is stored in several parts is served whole and in ranges", async () => {
    const picture = newPicture(700_000);
    const path = await upload(picture);
    const whole = await getPublic(path);
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(picture.bytes);
    for (const [range, start, end] of [
      ["bytes=0-9", 0, 10],
      ["bytes=262140-262150", 262_140, 262_151],
      ["bytes=100-600000", 100, 600_001],
      ["bytes=-5", picture.bytes.length - 5, picture.bytes.length],
    ] as const) {
      const response = await getPublic(path, { range });
      expect(response.status).toBe(206);
      expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end - 1}/${picture.bytes.length}`);
      expect(response.headers.get("content-length")).toBe(String(end - start));
      expect(Buffer.from(await response.arrayBuffer())).toEqual(picture.bytes.subarray(start, end));
    }
    const pastTheEnd = await getPublic(path, { range: "bytes=99999999-" });
    expect([pastTheEnd.status, pastTheEnd.headers.get("content-range")]).toEqual([
      416,
      `bytes */${picture.bytes.length}`,
    ]);
    await asAda.remove([path]);
  });

  test("a picture's headers allow caching for a year and forbid scripts, and conditional, range and download requests work", async () => {
    const picture = newPicture();
    const path = await upload(picture);
    const response = await getPublic(path);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "content-length": String(picture.bytes.length),
      "accept-ranges": "bytes",
    });
    const etag = response.headers.get("etag") ?? "";
    const modified = response.headers.get("last-modified") ?? "";
    const head = await getPublic(path, {}, "HEAD");
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(picture.bytes.length),
      "",
    ]);
    for (const headers of [
      { "if-none-match": etag },
      { "if-none-match": `"other", W/${etag}` },
      { "if-none-match": "*" },
      { "if-modified-since": modified },
    ]) {
      const unchanged = await getPublic(path, headers);
      expect([unchanged.status, await unchanged.text()]).toEqual([304, ""]);
    }
    for (const headers of [
      { "if-none-match": '"other"', "if-modified-since": modified },
      { "if-modified-since": "x" },
    ]) {
      expect((await getPublic(path, headers)).status).toBe(200);
    }
    expect((await getPublic(path, { range: "bytes=0-3", "if-range": etag })).status).toBe(206);
    expect((await getPublic(path, { range: "bytes=0-3", "if-range": '"other"' })).status).toBe(200);
    const download = await getPublic(`${path}?download=my%20picture.png`);
    expect(download.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''my%20picture.png");
    // RFC 8187 allows only attr-char unescaped. An apostrophe would end the charset or the language.
    const hostile = await getPublic(`${path}?download=${encodeURIComponent("a'b\"(c)*;\r\n\u00e9.png")}`);
    expect(hostile.headers.get("content-disposition")).toBe(
      "attachment; filename*=UTF-8''a%27b%22%28c%29%2A%3B%0D%0A%C3%A9.png",
    );
    await asAda.remove([path]);
  });

  test("a member's pictures are deleted with the account", async () => {
    const guest = await storage.signedIn();
    const picture = newPicture();
    const path = pathOf(guest.id, picture);
    expect((await storage.pictures(guest.token).upload(path, picture.bytes)).error).toBeNull();
    await storage.admin.query("delete from auth.users where id = $1", [guest.id]);
    const { rows } = await storage.admin.query("select from storage.objects where owner_id = $1", [guest.id]);
    expect(rows).toEqual([]);
    const parts = await storage.admin.query(
      "select from storage.object_parts where object_id not in (select id from storage.objects)",
    );
    expect(parts.rows).toEqual([]);
  });
});

describe("checks on uploaded files", () => {
  const nameFor = (bytes: Buffer, size: string, extension: string) =>
    `${ada.id}/${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}-${size}.${extension}`;

  test.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "png"],
    ["HTML", "<!doctype html><script>alert(1)</script>", "jpg"],
    ["HTML that begins like a GIF", "GIF89a=1;/*<script>alert(1)</script>*/", "gif"],
    ["a PDF", "%PDF-1.7", "webp"],
    ["plain text", "Hello", "avif"],
  ])("an upload of %s with a picture's name and type is rejected", async (_, text, extension) => {
    const bytes = Buffer.from(text);
    const { error } = await asAda.upload(nameFor(bytes, "1x1", extension), bytes, {
      contentType: `image/${extension}`,
    });
    expect(error).toMatchObject({ status: 400, statusCode: "415" });
  });

  test("a PNG that declares more than 25 million pixels is rejected", async () => {
    const bomb = makePng(60_000, 60_000);
    const { error } = await asAda.upload(pathOf(ada.id, bomb), bomb.bytes);
    expect(error).toMatchObject({
      statusCode: "415",
      message: "The picture has more than 25 million pixels",
    });
  });

  test.each([
    ["another digest", (path: string) => path.replace(/\/.{4}/, "/0000")],
    ["another size", (path: string) => path.replace(/-\d+x\d+\./, "-2000x2000.")],
    ["another extension", (path: string) => path.replace(/png$/, "webp")],
  ])(
    "an upload under a name with %s is rejected with an error that contains the right name",
    async (_, change) => {
      const picture = newPicture();
      const path = pathOf(ada.id, picture);
      const { error } = await asAda.upload(change(path), picture.bytes);
      expect(error).toMatchObject({ statusCode: "400", message: `The name of this picture must be ${path}` });
    },
  );

  test.each(["me.png", "folder/me.png", `${ada.id}/me.png`, `${ada.id}/a/b.png`])(
    "an upload under the name %s is rejected with an error that contains the right name",
    async (name) => {
      const picture = newPicture();
      const { error } = await asAda.upload(name, picture.bytes);
      const message = `The name of this picture must be ${pathOf(ada.id, picture)}`;
      expect(error).toMatchObject({ statusCode: "400", message });
    },
  );

  test.each([
    ["text/plain", new Blob(["Hello"], { type: "text/plain" })],
    ["image/svg+xml", Buffer.from("<svg/>")],
  ])("an upload of the type %s is rejected with an error that contains the type", async (type, file) => {
    const { error } = await asAda.upload(`${ada.id}/file`, file, { contentType: type });
    expect(error).toMatchObject({
      status: 400,
      statusCode: "415",
      message: expect.stringMatching(
        new RegExp(`^mime type ${type.replace("+", "\\+")}.* is not supported$`),
      ),
    });
  });

  test("the metadata of an upload is returned by info, and an upsert replaces it", async () => {
    const picture = newPicture();
    const path = await upload(picture, { metadata: { alt: "A chart", tags: ["é"] } });
    const metadata = async () => (await asVisitor.info(path)).data?.metadata;
    expect(await metadata()).toEqual({ alt: "A chart", tags: ["é"] });
    const asForm = new Blob([picture.bytes]);
    await asAda.upload(path, asForm, { upsert: true, metadata: { alt: "Another" } });
    expect(await metadata()).toEqual({ alt: "Another" });
    await upload(picture, { upsert: true });
    expect(await metadata()).toEqual({ alt: "Another" });
    expect((await asVisitor.info(await upload(newPicture()))).data?.metadata).toEqual({});
  });

  test.each([
    ["more than 2 kB", { metadata: { text: "x".repeat(2048) } }],
    ["NUL", { metadata: { text: "\0" } }],
    ["a list", { metadata: [1] as unknown as Record<string, unknown> }],
    ["no JSON", { headers: { "x-metadata": "x" } }],
  ])("an upload with metadata of %s is rejected", async (_, options) => {
    const picture = newPicture();
    const { error } = await asAda.upload(pathOf(ada.id, picture), picture.bytes, options);
    expect(error).toMatchObject({ statusCode: "400", message: expect.stringContaining("metadata") });
  });

  test("a GIF with a script after its pixels is served as a GIF", async () => {
    const gif = makeGif(4, 4);
    const bytes = Buffer.concat([gif.bytes, Buffer.from("<script>alert(1)</script>")]);
    const path = await upload({ ...gif, bytes });
    const { headers } = await getPublic(path);
    expect(headers.get("content-type")).toBe("image/gif");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    await asAda.remove([path]);
  });

  test.each(["body", "form"])(
    "a picture of more than 5 MB that is sent as a %s is rejected",
    async (kind) => {
      const picture = newPicture(5 * 1024 * 1024);
      const file = kind === "body" ? picture.bytes : new Blob([picture.bytes]);
      const { error } = await asAda.upload(pathOf(ada.id, picture), file);
      expect(error).toMatchObject({
        statusCode: "413",
        message: "The object exceeded the maximum allowed size",
      });
    },
  );

  test.each<[string, { body: string; headers?: Record<string, string> }]>([
    ["an empty body", { body: "" }],
    ["a form without a boundary", { body: "x", headers: { "content-type": "multipart/form-data" } }],
    [
      "a form without a file",
      { body: "--b--", headers: { "content-type": "multipart/form-data; boundary=b" } },
    ],
    [
      "a truncated form",
      {
        body: '--b\r\ncontent-disposition: form-data; name=""; filename="x"\r\n\r\nabc',
        headers: { "content-type": "multipart/form-data; boundary=b" },
      },
    ],
  ])("an upload with %s is rejected", async (_, { body, headers = {} }) => {
    const response = await storage.request(`object/pictures/${pathOf(ada.id, newPicture())}`, {
      method: "POST",
      headers: { authorization: `Bearer ${ada.token}`, ...headers },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ statusCode: "400", message: "No content provided" });
  });
});

describe("access to pictures, and Supabase Storage's errors", () => {
  test("a visitor cannot upload, list or remove pictures", async () => {
    const picture = newPicture();
    const path = await upload(picture);
    expect((await asVisitor.upload(pathOf(ada.id, newPicture()), picture.bytes)).error).toMatchObject(denied);
    expect((await asVisitor.list(ada.id)).data).toEqual([]);
    expect((await asVisitor.list()).data).toEqual([]);
    expect((await asVisitor.remove([path])).data ?? []).toEqual([]);
    expect((await getPublic(path)).status).toBe(200);
    await asAda.remove([path]);
  });

  test("a member cannot write, list or remove pictures in another member's folder", async () => {
    const picture = newPicture();
    const path = await upload(picture);
    for (const isUpsert of [false, true]) {
      const { error } = await asEve.upload(path, picture.bytes, { upsert: isUpsert });
      expect(error).toMatchObject(denied);
    }
    expect((await asEve.update(path, picture.bytes)).error).toMatchObject(denied);
    expect((await asEve.remove([path])).data).toEqual([]);
    expect((await asEve.list(ada.id)).data).toEqual([]);
    const response = await storage.request(`object/pictures/${path}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${eve.token}` },
    });
    expect(await response.json()).toMatchObject({ statusCode: "404" });
    expect((await getPublic(path)).status).toBe(200);
    await asAda.remove([path]);
  });

  test.each([
    (own: string, other: string) => `${own}/../${other}`,
    (own: string, other: string) => `${own}/%2e%2e/${other}`,
    (own: string, other: string) => `${own}%2F..%2F${other}`,
    (own: string, other: string) => `${own}/./${other}`,
    (own: string, other: string) => `//${own}/${other}`,
    (own: string, other: string) => `${own}\\${other}`,
    (own: string) => own.toUpperCase(),
    () => "",
    () => "\0",
    () => "x".repeat(5_000),
  ])(
    "a write to an invalid path or another member's folder changes nothing (path %#)",
    async (makeFolder) => {
      const before = await objects();
      const picture = newPicture();
      const name = pathOf(ada.id, picture).slice(ada.id.length + 1);
      for (const path of [`${makeFolder(eve.id, ada.id)}/${name}`, makeFolder(eve.id, ada.id)]) {
        for (const method of ["POST", "PUT", "DELETE"]) {
          const response = await storage.request(`object/pictures/${path}`, {
            method,
            headers: { authorization: `Bearer ${eve.token}` },
            ...(method !== "DELETE" && { body: picture.bytes }),
          });
          expect(response.status).toBeGreaterThanOrEqual(400);
          expect(response.status).toBeLessThan(500);
        }
        expect((await getPublic(path)).status).toBeGreaterThanOrEqual(400);
      }
      expect(await objects()).toEqual(before);
    },
  );

  test("the database itself rejects invalid names, hides other members' objects and rejects writes to them", async () => {
    const claims = { role: "authenticated", sub: eve.id };
    const asMember = (sql: string, values: unknown[] = []) =>
      storage.database.transaction({ role: "authenticated", claims }, (client) => client.query(sql, values));
    const insert = (name: string, bucket = "pictures") =>
      asMember("insert into storage.objects (bucket_id, name, owner_id) values ($1, $2, $3)", [
        bucket,
        name,
        eve.id,
      ]);
    const name = "0123456789abcdef0123456789abcdef-1x1.png";
    for (const refused of [
      `${ada.id}/${name}`,
      `${eve.id}/a.png`,
      `${eve.id}/${name}.svg`,
      `${eve.id}/x/${name}`,
      name,
      `${eve.id}/../${name}`,
    ]) {
      await expect(insert(refused), refused).rejects.toMatchObject({ code: "42501" });
    }

    // An operator can add a bucket. Members' rights are for pictures alone, even in their own folder.
    await storage.admin.query("insert into storage.buckets (id, name) values ('other', 'other')");
    await expect(insert(`${eve.id}/${name}`, "other")).rejects.toMatchObject({ code: "42501" });
    await storage.admin.query(
      "insert into storage.objects (bucket_id, name, owner_id) values ('other', $1, $2)",
      [`${eve.id}/${name}`, eve.id],
    );
    await insert(`${eve.id}/${name}`);
    // Statements without a condition read no column, so the policy for reading doesn't hide rows from them.
    for (const change of [`name = '${ada.id}/${name}'`, "name = 'a.png'", "bucket_id = 'other'"])
      await expect(asMember(`update storage.objects set ${change}`), change).rejects.toMatchObject({
        code: "42501",
      });
    const own = await asMember("select from storage.objects where bucket_id = 'pictures'");
    for (const sql of [
      "select from storage.objects",
      "update storage.objects set metadata = '{}'",
      "delete from storage.objects",
    ])
      expect((await asMember(sql)).rowCount, sql).toBe(own.rowCount);
    await storage.admin.query("delete from storage.objects where bucket_id = 'other'");
    await storage.admin.query("delete from storage.buckets where id = 'other'");

    const path = await upload(newPicture());
    expect((await asMember("select from storage.objects where name = $1", [path])).rowCount).toBe(0);
    expect((await asMember("select from storage.object_parts", [])).rowCount).toBe(0);
    const { rows } = await storage.admin.query("select id from storage.objects where name = $1", [path]);
    const addPart = "insert into storage.object_parts (object_id, position, bytes) values ($1, 7, '')";
    await expect(asMember(addPart, [rows[0].id])).rejects.toMatchObject({ code: "42501" });
    await expect(asMember("update storage.object_parts set bytes = ''", [])).rejects.toMatchObject({
      code: "42501",
    });
    await asAda.remove([path]);
  });

  test("simultaneous uploads cannot exceed a member's quota", async () => {
    const member = await storage.signedIn();
    const client = storage.pictures(member.token);
    const pictures = Array.from({ length: 5 }, () => newPicture(4 * 1024 * 1024));
    const results = await Promise.all(
      pictures.map((picture) => client.upload(pathOf(member.id, picture), picture.bytes)),
    );
    const refused = results.filter(({ error }) => error !== null);
    expect(refused).toHaveLength(3);
    for (const { error } of refused) {
      expect(error).toMatchObject({
        statusCode: "413",
        message: "The pictures of one member can take up to 12 MB. Delete some of them first.",
      });
    }
    const { rows } = await storage.admin.query(
      "select sum((metadata ->> 'size')::int)::int as size from storage.objects where owner_id = $1",
      [member.id],
    );
    expect(rows[0].size).toBeLessThanOrEqual(QUOTA);
  });

  test("each picture counts at least 1,000 bytes until it is deleted, also after a restore without the counts", async () => {
    const member = await storage.signedIn();
    const client = storage.pictures(member.token);
    const counted = async () =>
      (await storage.admin.query("select storage.folder_size('pictures', $1)::int as size", [member.id]))
        .rows[0].size;
    const tiny = Array.from({ length: 3 }, (_, gray) => makeGif(1, 1, gray + 1));
    const large = newPicture(4_000);
    for (const picture of [...tiny, large]) {
      expect((await client.upload(pathOf(member.id, picture), picture.bytes)).error).toBeNull();
    }
    expect(tiny.every(({ bytes }) => bytes.length < 1_000)).toBe(true);
    expect(await counted()).toBe(3_000 + large.bytes.length);
    await storage.admin.query("delete from storage.folder_sizes");
    expect(await counted()).toBe(3_000 + large.bytes.length);
    await client.remove(tiny.map((picture) => pathOf(member.id, picture)));
    expect(await counted()).toBe(large.bytes.length);
    await storage.admin.query("delete from auth.users where id = $1", [member.id]);
    const left = await storage.admin.query("select from storage.folder_sizes where folder = $1", [member.id]);
    expect(left.rowCount).toBe(0);
  });

  test("a picture that is uploaded again does not count twice towards the member's quota", async () => {
    const member = await storage.signedIn();
    const client = storage.pictures(member.token);
    const [first, second] = [newPicture(4 * 1024 * 1024), newPicture(4 * 1024 * 1024)];
    for (const picture of [first, second])
      expect((await client.upload(pathOf(member.id, picture), picture.bytes)).error).toBeNull();
    expect(2 * first.bytes.length + second.bytes.length).toBeGreaterThan(QUOTA);
    const again = await client.upload(pathOf(member.id, first), first.bytes, { upsert: true });
    expect(again.error).toBeNull();
  });

  test("the service key can remove a member's picture and list members' folders", async () => {
    const path = await upload(newPicture());
    expect((await asService.list("", { limit: 1_000 })).data?.map(({ name }) => name)).toContain(ada.id);
    expect((await asService.remove([path])).data).toHaveLength(1);
  });

  test("a member cannot upload after their session has ended", async () => {
    const guest = await storage.signedIn();
    const picture = newPicture();
    await storage.admin.query("delete from auth.sessions where id = $1", [guest.sessionId]);
    const { error } = await storage.pictures(guest.token).upload(pathOf(guest.id, picture), picture.bytes);
    expect(error).toMatchObject({ status: 400, statusCode: "403" });
  });

  test.each([
    ["GET", "bucket"],
    ["POST", "bucket"],
    ["GET", "bucket/pictures"],
    ["POST", "bucket/pictures/empty"],
    ["POST", "object/sign/pictures/x"],
    ["POST", "object/upload/sign/pictures/x"],
    ["POST", "object/copy"],
    ["POST", "object/move"],
    ["POST", "object/list-v2/pictures"],
    ["GET", "render/image/public/pictures/x"],
    ["POST", "upload/resumable"],
    ["GET", "s3/pictures"],
    ["PATCH", "object/pictures/x"],
    ["POST", "object/public/pictures/x"],
  ])("%s %s is not supported and gets Supabase Storage's 404 for an unknown route", async (method, path) => {
    const headers = { authorization: `Bearer ${storage.keys.serviceKey}` };
    const response = await storage.request(path, { method, headers });
    expect([response.status, await response.json()]).toEqual([
      404,
      { message: `Route ${method}:/${path} not found`, error: "Not Found", statusCode: 404 },
    ]);
  });

  test.each([
    ["no key", {}, "400", "headers must have required property 'authorization'"],
    ["a forged token", { authorization: "Bearer a.b.c" }, "403", "JWT cannot be verified"],
  ])(
    "an upload with %s gets the same error as from Supabase Storage",
    async (_, headers, statusCode, message) => {
      const picture = newPicture();
      const response = await storage.request(`object/pictures/${pathOf(ada.id, picture)}`, {
        method: "POST",
        headers,
        body: picture.bytes,
      });
      expect([response.status, await response.json()]).toMatchObject([400, { statusCode, message }]);
    },
  );

  test.each([
    ["POST", "object/list/pictures", "{}", "body must have required property 'prefix'"],
    [
      "POST",
      "object/list/pictures",
      "{",
      "Body is not valid JSON but content-type is set to 'application/json'",
    ],
    ["POST", "object/list/pictures", '{"prefix":"","limit":0}', expect.any(String)],
    [
      "POST",
      "object/list/pictures",
      '{"prefix":"","sortBy":{"column":"owner_id"}}',
      "body/sortBy/column must be equal to one of the allowed values",
    ],
    ["DELETE", "object/pictures", "{}", "body must have required property 'prefixes'"],
    ["DELETE", "object/pictures", '{"prefixes":[]}', "body/prefixes must NOT have fewer than 1 items"],
    ["DELETE", "object/pictures", JSON.stringify({ prefixes: Array(1_001).fill("x") }), expect.any(String)],
  ])(
    "%s %s with the body %s gets the same error as from Supabase Storage",
    async (method, path, body, message) => {
      const headers = { authorization: `Bearer ${ada.token}`, "content-type": "application/json" };
      const response = await storage.request(path, { method, headers, body });
      expect([response.status, await response.json()]).toMatchObject([400, { statusCode: "400", message }]);
    },
  );

  test("an upload to another bucket gets 'Bucket not found'", async () => {
    const { error } = await storage
      .storageClient(ada.token)
      .from("other")
      .upload("x.png", newPicture().bytes);
    expect(error).toMatchObject({ status: 400, statusCode: "404", message: "Bucket not found" });
    expect((await storage.request("object/public/other/x.png")).status).toBe(400);
  });
});

test.each([1, 2])(
  "a picture of exactly %i stored parts can be read as a whole and up to the boundary",
  async (parts) => {
    const size = parts * PART_BYTES;
    const overhead = newPicture(1).bytes.length - 1;
    pictureCount -= 1;
    const picture = newPicture(size - overhead);
    expect(picture.bytes.length).toBe(size);
    const path = await upload(picture);
    const bytesOf = async (headers?: Record<string, string>) =>
      Buffer.from(await (await getPublic(path, headers)).arrayBuffer());
    expect((await bytesOf()).equals(picture.bytes)).toBe(true);
    for (const [first, last] of [
      [0, PART_BYTES - 1],
      [PART_BYTES - 1, size - 1],
      [size - 1, size - 1],
    ] as const) {
      const part = await bytesOf({ range: `bytes=${first}-${last}` });
      expect(part.equals(picture.bytes.subarray(first, last + 1)), `${first} to ${last}`).toBe(true);
    }
  },
);
