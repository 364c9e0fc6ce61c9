import { expect, test } from "vitest";
import { drawCard } from "./draw.ts";

const card = (title: string, rest = {}) => ({
  kicker: "Article",
  title,
  lines: ["Ada Lovelace"],
  siteTitle: "Techfolio.pro",
  ...rest,
});

/** Reads the width and height from the PNG's first chunk. */
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
])("a card with %s is drawn as a PNG of 1200 by 630 pixels", async (_name, title) => {
  expect(sizeOf(await drawCard(card(title)))).toEqual([1200, 630]);
});

test("a card is drawn even if the site's name contains an emoji", async () => {
  expect(sizeOf(await drawCard(card("Title", { siteTitle: "Data 🚀.pro" })))).toEqual([1200, 630]);
});

test.each([
  ["a site's name in a script that our fonts lack", card("Title", { siteTitle: "データ.pro" })],
  ["a title in a script that our fonts lack", card("データベース")],
  ["an author's name in a script that our fonts lack", card("Title", { lines: ["مريم"] })],
  ["only emoji in its title", card("🚀🚀")],
  ["an empty title", card(" ")],
])("a card with %s is not drawn", async (_name, text) => {
  expect(await drawCard(text)).toBeNull();
});
