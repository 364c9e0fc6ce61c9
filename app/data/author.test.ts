import { expect, test } from "vitest";
import { authorName, nameOf } from "./author.ts";

test.each([
  [{ full_name: "Ada Lovelace", username: "ada" }, "Ada Lovelace"],
  [{ full_name: "", username: "ada" }, "ada"],
  [{ full_name: null, username: "ada" }, "ada"],
  [{ full_name: " \n", username: "ada" }, "ada"],
  [{ full_name: " Ada ", username: null }, "Ada"],
])("%j is called %j (specification §1)", (author, name) => {
  expect(authorName(author)).toBe(name);
  expect(nameOf(author)).toBe(name);
});

test.each([
  { full_name: "", username: "" },
  { full_name: null, username: null },
  { full_name: " ", username: "\t" },
])("a member whose names are %j is shown with a placeholder and has no name to search for", (author) => {
  expect(authorName(author)).toBe("Unnamed member");
  expect(nameOf(author)).toBe("");
});
