import { constants } from "node:os";
import { expect, test } from "vitest";
import { errorMessage, errorName, systemErrorMessage } from "./error-message.ts";

test.each([
  [new Error("message"), "message"],
  [new AggregateError([new Error("first")]), "first"],
  [new AggregateError([new Error("first")], "all failed"), "all failed"],
  ["text", "text"],
  [undefined, "undefined"],
  [null, "null"],
  [{ status: 404 }, "Object"],
  [new (class Unusual {})(), "Unusual"],
])("the message of %j never contains [object Object]", (error, message) => {
  expect(errorMessage(error)).toBe(message);
});

test("an error of the operating system is named without its code, call and path", () => {
  const missing = Object.assign(new Error("ENOENT: no such file or directory, open '/x'"), {
    errno: -constants.errno.ENOENT,
  });
  expect(systemErrorMessage(missing)).toBe("no such file or directory");
  expect(systemErrorMessage(Object.assign(new Error("odd"), { errno: 123_456 }))).toBe("odd");
  expect(systemErrorMessage(new Error("other"))).toBe("other");
});

test.each([
  [Object.assign(new TypeError("text"), { code: "ECONNRESET" }), "ECONNRESET"],
  [new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ENOTFOUND" }) }), "ENOTFOUND"],
  [new TypeError("fetch failed", { cause: new RangeError() }), "RangeError"],
  [new TypeError("fetch failed", { cause: new Error() }), "TypeError"],
  [new TypeError("a member's text"), "TypeError"],
  [Object.assign(new TypeError(), { code: 7 }), "TypeError"],
  ["a member's text", "string"],
])("the log names %j as %s", (error, name) => {
  expect(errorName(error)).toBe(name);
});
