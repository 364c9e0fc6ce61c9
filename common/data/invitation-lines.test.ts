import { expect, test } from "vitest";
import { invitationLines } from "./invitation-lines.ts";

const ADA = "ada@example.com";
const BOB = "bob@example.com";

test.each([
  ["lines of any system", `${ADA}\r\n${BOB}\r${ADA}\n${BOB}`, [ADA, BOB, ADA, BOB]],
  ["lines between blank ones", `\n  \n${ADA}\n\t\n`, [ADA]],
  ["a line with semicolons", `${ADA} ; ${BOB};`, [ADA, BOB]],
  ["a line with commas", `${ADA}, ${BOB},`, [ADA, BOB]],
  ["a line with blanks", `${ADA}  ${BOB}\t${ADA}`, [ADA, BOB, ADA]],
  [
    "names that contain commas",
    `"Lovelace, Ada" <${ADA}>; Bob <${BOB}>`,
    [`"Lovelace, Ada" <${ADA}>`, `Bob <${BOB}>`],
  ],
  ["names without separators", `Ada <${ADA}> Bob <${BOB}>`, [`Ada <${ADA}>`, `Bob <${BOB}>`]],
  ["one address with a name before it", `Lovelace, Ada ${ADA}`, [`Lovelace, Ada ${ADA}`]],
  ["text without an address", "Ada, Bob", ["Ada, Bob"]],
  ["addresses that can't be told apart", `${ADA}@${BOB}`, [`${ADA}@${BOB}`]],
  ["nothing", " \n ", []],
])("%s become one line for each address", (_, text, lines) => expect(invitationLines(text)).toEqual(lines));
