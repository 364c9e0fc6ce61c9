import { expect, test } from "vitest";
import { authorName } from "./author.ts";

test.each([
  ["Ada Lovelace", "ada", "Ada Lovelace"],
  [null, "ada", "ada"],
  ["", "ada", "ada"],
  [" \n", "ada", "ada"],
  [" ", "\t", "Unnamed member"],
  [null, null, "Unnamed member"],
])("%j with the username %j is shown as %j", (full_name, username, shown) => {
  expect(authorName({ full_name, username })).toBe(shown);
});
