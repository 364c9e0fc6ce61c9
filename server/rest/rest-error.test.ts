import { expect, test } from "vitest";
import { excerpt, RestError } from "./rest-error.ts";

test.each([
  ["PGRST301", 'Bearer error="invalid_token", error_description="JWT expired"'],
  ["PGRST303", 'Bearer error="invalid_token", error_description="JWT expired"'],
  ["42501", "Bearer"],
])("a response with 401 and the code %s names how to sign in: %s", (code, expected) => {
  const { headers } = new RestError(401, code, "JWT expired").getResponse();
  expect(headers.get("www-authenticate")).toBe(expected);
});

test("an error is JSON in UTF-8 with all four fields, isn't cached, and only has the headers of its status", async () => {
  const response = new RestError(400, "PGRST100", "Wrong").getResponse();
  expect(await response.json()).toEqual({ code: "PGRST100", details: null, hint: null, message: "Wrong" });
  expect(Object.fromEntries(response.headers)).toEqual({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
  });
});

test("an error's message repeats at most 100 characters of a request", () => {
  expect(excerpt("x".repeat(100))).toBe("x".repeat(100));
  expect(excerpt("x".repeat(101))).toBe(`${"x".repeat(100)}…`);
});
