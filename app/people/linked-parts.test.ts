import { expect, test } from "vitest";
import { expectLinearWork } from "../../tests/support/growth.ts";
import { linkedParts } from "./linked-parts.ts";

const addressesIn = (text: string) =>
  linkedParts(text)
    .filter(({ isAddress }) => isAddress)
    .map(({ text }) => text);

test.each([
  ["See https://ada.example.", ["https://ada.example"]],
  ["(http://ada.example/a?b=1,2#c), and", ["http://ada.example/a?b=1,2#c"]],
  ["https://en.example/wiki/Ada_(name)", ["https://en.example/wiki/Ada_(name)"]],
  ["(https://en.example/wiki/Ada_(name))", ["https://en.example/wiki/Ada_(name)"]],
  ["“https://a.example/x”: https://b.example/?!", ["https://a.example/x", "https://b.example/"]],
  ["HTTPS://A.EXAMPLE/Ü\nhttps://b.example", ["HTTPS://A.EXAMPLE/Ü", "https://b.example"]],
  ["javascript:alert(1) ftp://a.example https:// http://[ xhttps://a.example", []],
  ["<a href=https://a.example/'onclick=x>", ["https://a.example/'onclick=x"]],
])("the addresses in %j are %j", (text, addresses) => {
  expect(addressesIn(text)).toEqual(addresses);
});

test("the parts of a text make up the whole text", () => {
  for (const text of ["", "a", "https://a.example", "a https://a.example, (b https://b.example)\n\nc"])
    expect(
      linkedParts(text)
        .map(({ text }) => text)
        .join(""),
    ).toBe(text);
});

test.each(["https://", ")", "https://a.b/(", ".", "https://a.b/)))...,,, "])(
  "the work of splitting a bio that repeats %j grows with its length",
  (part) => {
    const textOf = (length: number) => `https://a.example/${part.repeat(length / part.length)}`;
    expectLinearWork(20_000, textOf, linkedParts);
  },
);
