import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { buildFonts } from "./build-fonts.ts";

test("while the fonts are built again, each of their files is complete, so another command can build the site", async () => {
  await buildFonts();
  const files = (await readdir(".fonts")).filter((name) => /\.(?:woff2|css)$/.test(name));
  expect(files.length).toBeGreaterThan(10);
  const complete = new Map<string, Buffer>();
  for (const file of files) complete.set(file, await readFile(`.fonts/${file}`));
  let isOver = false;
  const building = buildFonts().finally(() => {
    isOver = true;
  });
  const broken = new Set<string>();
  while (!isOver) {
    for (const [file, bytes] of complete)
      if (!bytes.equals(await readFile(`.fonts/${file}`))) broken.add(file);
  }
  await building;
  expect([...broken]).toEqual([]);
});
