import { expect, onTestFinished, test, vi } from "vitest";
import { operatorsInProject } from "./operator.ts";

const operators = operatorsInProject({ url: "http://project.test", key: "public" });

/** Calls `find` with a token that has these claims. The project's auth service responds with this status and body. */
function find(claims: object, status: number, body: object) {
  const fetch = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(body, { status }));
  onTestFinished(() => fetch.mockRestore());
  const authorization = `Bearer x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;
  return operators.find({ role: "anon" }, new Headers({ authorization }));
}

const operator = { id: "1", email: "olga@example.com", app_metadata: { role: "operator" } };
const member = { sub: "1", session_id: "2", amr: [{ method: "password", timestamp: 1_800_000_000 }] };

test("an operator of a project is found by the role that the project's auth service returns", async () => {
  expect(await find(member, 200, operator)).toEqual({
    id: "1",
    email: "olga@example.com",
    signedInAt: new Date(1_800_000_000_000),
    usedPasskey: false,
  });
});

// The responses of Supabase Auth (its internal/api/auth.go).
test.each([
  ["an ended session", "session_not_found"],
  ["a removed account", "user_not_found"],
  ["a suspended account", "user_banned"],
  ["an expired token", "bad_jwt"],
])(
  "%s that a project's auth service rejects with 403 gets 401, so that the browser signs out",
  async (_case, error_code) => {
    await expect(find(member, 403, { code: 403, error_code })).rejects.toMatchObject({ status: 401 });
  },
);

test("an API key that a project's auth service rejects with 403 gets 403", async () => {
  const rejected = find({ role: "anon" }, 403, { code: 403, error_code: "bad_jwt" });
  await expect(rejected).rejects.toMatchObject({ status: 403, code: "not_admin" });
});

test("a token without a session gets 401, although a project's auth service accepts it", async () => {
  await expect(find({ sub: "1", amr: member.amr }, 200, operator)).rejects.toMatchObject({ status: 401 });
});

test.each([429, 500])("status %i of a project's auth service gets 503", async (status) => {
  await expect(find(member, status, {})).rejects.toMatchObject({ status: 503 });
});
