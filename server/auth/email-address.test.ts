import { describe, expect, test } from "vitest";
import { normalizeEmail } from "./email-address.ts";

describe("normalizing email addresses", () => {
  test.each([
    ["  Ada@Example.COM ", "ada@example.com"],
    ["a.b+c@localhost", "a.b+c@localhost"],
    ["\ufeff\u202aada@example.com\u202c\u200b", "ada@example.com"],
    ["o'neil@sub.example.com", "o'neil@sub.example.com"],
    ["Ines@Bücher.example", "ines@xn--bcher-kva.example"],
    ["ines@bu\u0308cher.example", "ines@xn--bcher-kva.example"],
    ["ines@例え.jp", "ines@xn--r8jz45g.jp"],
    ["ines@xn--bcher-kva.example", "ines@xn--bcher-kva.example"],
  ])("the email address %j is normalized to %j", (typed, email) => {
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
    // Folding these look-alike letters to ASCII could result in another account's address.
    "ada@examp\u212Ae.com",
    "\u212A@example.com",
    "\u0130@example.com",
    "ａda@example.com",
    `${"x".repeat(250)}@example.com`,
    "' or 1=1 --",
    "ines@bücher..example",
    "inés@example.com",
    `ada@${"ü".repeat(70)}.example`,
  ])("%j is rejected as an email address", (typed) => {
    expect(normalizeEmail(typed)).toBeUndefined();
  });
});
