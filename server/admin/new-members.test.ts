import { expect, test } from "vitest";
import { invitationLines } from "../../common/data/invitation-lines.ts";
import { readNewMember } from "./new-members.ts";

const one = { email: "kim@example.com" };
const named = { ...one, full_name: "Kim Lee" };

test.each([
  ["kim@example.com", [one]],
  ["  <Kim@Example.com>,", [one]],
  ["mailto:kim@example.com;", [one]],
  ["Kim Lee <mailto:kim@example.com>", [named]],
  ["Kim Lee (kim@example.com)", [named]],
  ["'Kim Lee' <kim@example.com>", [named]],
  ['"Kim Lee" <\u202akim@example.com\u202c>', [named]],
  ["Kim Lee [mailto:kim@example.com]", [named]],
  ["kim@example.com (Kim Lee)", [named]],
  ["„Kim Lee“ <kim@example.com>", [named]],
  ["“kim@example.com”", [one]],
  ["- kim@example.com.", [one]],
  ["• Kim Lee <kim@example.com>", [named]],
  ["2. kim@example.com", [one]],
  ["Kim\u00a0 Lee <kim@example.com\u200b>", [named]],
  ["Kim Lee\tkim@example.com", [named]],
  ["kim@example.com\tKim Lee", [named]],
  ["Kim Lee;kim@example.com", [named]],
  ["kim@example.com,Kim Lee", [named]],
  ['"kim@example.com","Kim Lee"', [named]],
  ['"Lee, Kim",kim@example.com', [{ ...one, full_name: "Lee, Kim" }]],
  ["Lee, Kim <kim@example.com>", [{ ...one, full_name: "Lee, Kim" }]],
  ["Kim Lee <kim@example.com>; <bo@example.com>", [named, { email: "bo@example.com" }]],
  ["kim@example.com, Bo <bo@example.com>,", [one, { email: "bo@example.com", full_name: "Bo" }]],
  ['kim@example.com, "Ek, Bo" <bo@example.com>', [one, { email: "bo@example.com", full_name: "Ek, Bo" }]],
  [
    "kim@example.com bo@example.com\n\nann@example.com",
    [one, { email: "bo@example.com" }, { email: "ann@example.com" }],
  ],
])("the pasted text %j invites whom it names", (text, expected) => {
  expect(invitationLines(text).map(readNewMember)).toEqual(expected);
});

test.each([
  ["name,email", '"email" is not an email address.'],
  ["kim@", '"kim@" is not an email address.'],
  ["kim\u0007@example.com", '"kim\u0007@example.com" contains an invisible character.'],
])("the line %j says what is wrong", (line, message) => {
  expect(() => readNewMember(line)).toThrow(message);
});
