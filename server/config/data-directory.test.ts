import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkDataDir } from "./data-directory.ts";

async function folderWith(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "techfolio-names-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, name), "");
  return folder;
}

test.each([
  "@eaDir",
  "#recycle",
  "$RECYCLE.BIN",
  "System Volume Information",
  "Thumbs.db",
  "desktop.ini",
  "aquota.user",
  "aquota.group",
  "lost+found",
  ".DS_Store",
  ".snapshot",
])("a file system may add %s to a data directory", async (name) => {
  await checkDataDir(await folderWith(name));
});

test.each(["thumbs.db.txt", "recycle", "my@eaDir", "System Volume", "Desktop"])(
  "a data directory may not contain %s",
  async (name) => {
    await expect(checkDataDir(await folderWith(name))).rejects.toThrow(`contains other files (${name})`);
  },
);
