import { expect, test } from "vitest";
import { drawCard } from "./draw.ts";

const card = (title: string, rest = {}) => ({
  kicker: "Article",
  title,
  lines: ["Ada Lovelace"],
  siteTitle: "Techfolio.pro",
  ...rest,
});

/** Width and height as the PNG's first chunk has them. */
function sizeOf(png: Uint8Array | null): [number, number] {
  const bytes = Buffer.from(png ?? []);
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test.each([
  ["Latin, Greek, Cyrillic and Vietnamese letters", "Wiśniewski, Ελλάδα, Индекс, Nguyễn"],
  ["a title without an end", "Supercalifragilistic".repeat(500)],
  ["markup and control characters", `</svg><script>alert("1")</script> & \u0000\uD800\u202E`],
  ["emoji beside words", "Ship it 🚀 👩🏽‍💻 🇩🇪"],
])("a card with %s is 1200 by 630", async (_name, title) => {
  expect(sizeOf(await drawCard(card(title)))).toEqual([1200, 630]);
});

test("emoji in the site's name are left out as in a title", async () => {
  expect(sizeOf(await drawCard(card("Title", { siteTitle: "Data 🚀.pro" })))).toEqual([1200, 630]);
});

test.each([
  ["a site named in such a script", card("Title", { siteTitle: "データ.pro" })],
  ["a script that no font here has", card("データベース")],
  ["a name in such a script", card("Title", { lines: ["مريم"] })],
  ["emoji alone", card("🚀🚀")],
  ["nothing", card(" ")],
])("a card with %s is not drawn, so that nobody sees boxes", async (_name, text) => {
  expect(await drawCard(text)).toBeNull();
});
