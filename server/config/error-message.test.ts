import { expect, test } from "vitest";
import { errorMessage } from "./error-message.ts";

test.each([
  [new Error("message"), "message"],
  [new AggregateError([new Error("first")]), "first"],
  ["text", "text"],
  [undefined, "undefined"],
  [null, "null"],
  [{ status: 404 }, "Object"],
  [new (class Unusual {})(), "Unusual"],
])("the message of %j never contains [object Object]", (error, message) => {
  expect(errorMessage(error)).toBe(message);
});
