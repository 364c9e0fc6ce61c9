import { expect, test } from "vitest";
import { failedFirst, linksAsCsv, linksAsText, linksOf } from "./invited.ts";

const LINK = "https://site.example/profile?token_hash=a1";

test("the links that an operator has to pass on are those of a site without a mail server, and of emails that it rejected", () => {
  const invited = linksOf([
    { line: "ada@example.com", text: "ada@example.com is invited.", link: LINK },
    { line: "bo@example.com", text: "The invitation was sent to bo@example.com." },
    { line: "nonsense", problem: '"nonsense" is not an email address.' },
    { line: "kim@example.com", problem: `The mail server rejected it. Send this link yourself: ${LINK}` },
  ]);
  expect(invited).toEqual([
    { line: "ada@example.com", link: LINK },
    { line: "kim@example.com", link: LINK },
  ]);
});

test("lines that failed are listed before the others, and both keep their order", () => {
  const [ada, nonsense, bo, taken] = [
    { line: "ada@example.com", text: "ada@example.com is invited.", link: LINK },
    { line: "nonsense", problem: '"nonsense" is not an email address.' },
    { line: "bo@example.com", text: "The invitation was sent to bo@example.com." },
    { line: "kim@example.com", problem: "There is already a member with this email address." },
  ];
  expect(failedFirst([ada, nonsense, bo, taken])).toEqual([nonsense, taken, ada, bo]);
});

test("links are copied with a tab and saved as CSV without formulas", () => {
  const invited = [
    { line: "Ada\tada@example.com", link: LINK },
    { line: '="x"@example.com', link: LINK },
  ];
  expect(linksAsText(invited)).toBe(`Ada ada@example.com\t${LINK}\n="x"@example.com\t${LINK}`);
  expect(linksAsCsv(invited)).toBe(
    `"invited","link"\r\n"Ada\tada@example.com","${LINK}"\r\n"'=""x""@example.com","${LINK}"\r\n`,
  );
});
