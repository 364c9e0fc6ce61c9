import { BlobReader, type Entry, ZipReader } from "@zip.js/zip.js";
import { expect, test } from "vitest";
import { zipTexts } from "./archive.ts";

const STORED = 0;
const DEFLATED = 8;
const TEXT = { path: "articles/a.md", text: "the same words ".repeat(100) };
const picture = (path: string, blob: Blob | null) => ({ path, read: async () => blob });
const entriesOf = (archive: Blob): Promise<Entry[]> => new ZipReader(new BlobReader(archive)).getEntries();

test("an archive compresses texts but not pictures", async () => {
  const archive = await zipTexts([TEXT], [picture("pictures/a.webp", new Blob([TEXT.text]))]);
  expect(archive.type).toBe("application/zip");
  const entries = await entriesOf(archive);
  expect(entries.map(({ filename, compressionMethod }) => [filename, compressionMethod])).toEqual([
    ["articles/a.md", DEFLATED],
    ["pictures/a.webp", STORED],
  ]);
});

test("an archive lacks a picture that was deleted while it was made, and has those after it", async () => {
  const pictures = [picture("pictures/gone.webp", null), picture("pictures/b.webp", new Blob(["b"]))];
  const entries = await entriesOf(await zipTexts([], pictures));
  expect(entries.map(({ filename }) => filename)).toEqual(["pictures/b.webp"]);
});
