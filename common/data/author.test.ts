import { expect, test } from "vitest";
import { authorName, storedName } from "./author.ts";

test.each([
  [{ full_name: "Ada Lovelace", username: "ada" }, "Ada Lovelace"],
  [{ full_name: "", username: "ada" }, "ada"],
  [{ full_name: null, username: "ada" }, "ada"],
  [{ full_name: " \n", username: "ada" }, "ada"],
  [{ full_name: "\u200b\ufeff", username: "ada" }, "ada"],
  [{ full_name: " Ada ", username: null }, "Ada"],
])("a member with %j is shown as %j (specification §1)", (author, name) => {
  expect(authorName(author)).toBe(name);
  expect(storedName(author)).toBe(name);
});

test.each([
  { full_name: "", username: "" },
  { full_name: null, username: null },
  { full_name: " ", username: "\t" },
  { full_name: "\u200b\u200d", username: "\u2060 \u3164" },
])(
  "a member with the blank names %j is shown as Unnamed member, and storedName returns an empty string",
  (author) => {
    expect(authorName(author)).toBe("Unnamed member");
    expect(storedName(author)).toBe("");
  },
);
