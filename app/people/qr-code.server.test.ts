import { encode } from "uqr";
import { expect, test } from "vitest";
import { qrCode } from "./qr-code.server.ts";

/** Draws the lines of a path. */
function draw({ size, path }: ReturnType<typeof qrCode>): boolean[][] {
  const modules = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  let x = 0;
  let y = 0;
  for (const [, command, first, second] of path.matchAll(/([Mmh])(\d+)(?: (\d+))?/g)) {
    if (command === "M") [x, y] = [Number(first), Number(second)];
    if (command === "m") x += Number(first);
    if (command !== "h") continue;
    modules[y]?.fill(true, x, x + Number(first));
    x += Number(first);
  }
  return modules;
}

test.each(["https://example.org/profile/ada", `https://example.org/profile/${"long-".repeat(40)}`])(
  "the path of %s draws each dark module of its QR code, and no other",
  (url) => expect(draw(qrCode(url))).toEqual(encode(url, { ecc: "M", border: 0 }).data),
);

test("the path of a usual address has fewer than 1,800 bytes", () => {
  expect(qrCode("https://techfolio.example.org/profile/ada.lovelace").path.length).toBeLessThan(1_800);
});
