// Queries that an operator's browser never sends must not cause a server error.
import { afterAll, expect, test } from "vitest";
import { startTestAdmin } from "../../tests/support/admin.ts";

const admin = await startTestAdmin("built-in");
const token = await (await admin.operator()).token();
afterAll(() => admin.stop());

test.each([
  "/members?q=%00",
  "/members?q=ada%00",
  "/members?state=%00",
  "/members?state=unknown",
  "/members?after=%00",
  "/content?q=%00",
  "/content?q=@%00",
  "/content?q=%00&type=pictures",
  "/content?type=%00",
  "/content?type=unknown",
  "/content?after=%00&type=articles",
  "/log?after=%00",
])("%s gets 400 with a reason", async (path) => {
  const response = await admin.call(token, path);
  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ code: "validation_failed", message: expect.stringMatching(/./) }),
  ]);
});

test("an unpaired surrogate and a very long text are searched for without an error", async () => {
  for (const text of ["%ED%A0%80", "%EF%BF%BD", "a".repeat(5_000)]) {
    for (const list of ["members", "content"]) {
      expect((await admin.call(token, `/${list}?q=${text}`)).status).toBe(200);
    }
  }
});
