import { expect, test } from "vitest";
import { drawCard } from "./draw.ts";

const card = (title: string, rest = {}) => ({
  kicker: "Article",
  title,
  lines: ["Ada Lovelace"],
  siteTitle: "Techfolio.pro",
  ...rest,
});

/** Width and height from the PNG's first chunk. */
function sizeOf(png: Uint8Array | null): [number, number] {
  const bytes = Buffer.from(png ?? []);
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test.each([
  ["Latin, Greek, Cyrillic and Vietnamese letters", "Wiśniewski, Ελλάδα, Индекс, Nguyễn"],
  ["a very long title", "Supercalifragilistic".repeat(500)],
  ["markup and control characters", `</svg><script>alert("1")</script> & \u0000\uD800\u202E`],
  ["emoji next to words", "Ship it 🚀 👩🏽‍💻 🇩🇪"],
])("a card with %s is 1200 by 630", async (_name, title) => {
  expect(sizeOf(await drawCard(card(title)))).toEqual([1200, 630]);
});

test("emoji are removed from the site's name, as from titles", async () => {
  expect(sizeOf(await drawCard(card("Title", { siteTitle: "Data 🚀.pro" })))).toEqual([1200, 630]);
});

test.each([
  ["a site named in such a script", card("Title", { siteTitle: "データ.pro" })],
  ["a script that our fonts lack", card("データベース")],
  ["a name in such a script", card("Title", { lines: ["مريم"] })],
  ["emoji alone", card("🚀🚀")],
  ["nothing", card(" ")],
])("a card with %s is not drawn, because it would show boxes", async (_name, text) => {
  expect(await drawCard(text)).toBeNull();
});
