// Values that PostgreSQL rejects are the client's fault, so they must not cause a server error.
import { afterAll, expect, test } from "vitest";
import { startTestStorage } from "../../tests/support/storage.ts";

const storage = await startTestStorage();
const ada = await storage.signedIn();
afterAll(() => storage.stop());

const BEYOND_BIGINT = 1e20;
const NESTED = `${"[".repeat(70)}${"]".repeat(70)}`;

test.each([
  ["a NUL in the folder", "POST", "object/list/pictures", String.raw`{"prefix":"a\u0000b"}`],
  ["a NUL in the searched text", "POST", "object/list/pictures", String.raw`{"prefix":"","search":"\u0000"}`],
  ["half a surrogate pair", "POST", "object/list/pictures", String.raw`{"prefix":"\ud800"}`],
  ["bytes that are not UTF-8", "POST", "object/list/pictures", Buffer.from('{"prefix":"\xff"}', "latin1")],
  ["too many levels", "POST", "object/list/pictures", `{"prefix":"","more":${NESTED}}`],
  ["a large offset", "POST", "object/list/pictures", `{"prefix":"","offset":${BEYOND_BIGINT}}`],
  ["a large limit", "POST", "object/list/pictures", `{"prefix":"","limit":${BEYOND_BIGINT}}`],
  ["a NUL in the listed bucket", "POST", "object/list/pict%00ures", '{"prefix":""}'],
  ["a NUL in a deleted name", "DELETE", "object/pictures", String.raw`{"prefixes":["a\u0000b"]}`],
  ["a NUL in the bucket of deleted names", "DELETE", "object/pict%00ures", '{"prefixes":["a"]}'],
  ["a NUL in the bucket of a deleted picture", "DELETE", "object/pict%00ures/a.png", undefined],
])("a request with %s gets 400", async (_, method, path, body) => {
  const headers = { authorization: `Bearer ${ada.token}`, "content-type": "application/json" };
  const response = await storage.request(path, { method, headers, ...(body !== undefined && { body }) });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { statusCode: expect.stringMatching(/^4/) },
  ]);
});
