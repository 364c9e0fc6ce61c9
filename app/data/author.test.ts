import { expect, test } from "vitest";
import { authorName } from "./author.ts";

test.each([
  [{ full_name: "Ada Lovelace", username: "ada" }, "Ada Lovelace"],
  [{ full_name: "", username: "ada" }, "ada"],
  [{ full_name: null, username: "ada" }, "ada"],
  [{ full_name: " \n", username: "ada" }, "ada"],
  [{ full_name: "Ada Lovelace", username: null }, "Ada Lovelace"],
])("%j is called %j (specification §1)", (author, name) => {
  expect(authorName(author)).toBe(name);
});

test("nobody's item is signed with something all the same", () => {
  for (const author of [
    { full_name: "", username: "" },
    { full_name: null, username: null },
    { full_name: " ", username: "\t" },
  ]) {
    expect(authorName(author).trim()).not.toBe("");
  }
});
