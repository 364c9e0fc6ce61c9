import { describe, expect, test } from "vitest";
import { normalizeEmail } from "./email.ts";

describe("normalizeEmail", () => {
  test.each([
    ["  Ada@Example.COM ", "ada@example.com"],
    ["a.b+c@localhost", "a.b+c@localhost"],
    ["o'neil@sub.example.com", "o'neil@sub.example.com"],
  ])("takes %j for %j", (typed, email) => {
    expect(normalizeEmail(typed)).toBe(email);
  });

  test.each([
    "",
    "ada",
    "ada@",
    "@example.com",
    "ada@@example.com",
    "ada@example..com",
    "ada@-example.com",
    "ada lovelace@example.com",
    "ada@example.com, eve@evil.example",
    "ada@example.com\neve@evil.example",
    "ada@example.com\r\nBcc: eve@evil.example",
    "Ada <ada@example.com>",
    '"ada"@example.com',
    "ada@exam\u0000ple.com",
    // Lower case would turn these into another account's address.
    "ada@examp\u212Ae.com",
    "\u212A@example.com",
    "\u0130@example.com",
    "ａda@example.com",
    `${"x".repeat(250)}@example.com`,
    "' or 1=1 --",
  ])("takes %j for none", (typed) => {
    expect(normalizeEmail(typed)).toBeUndefined();
  });
});
