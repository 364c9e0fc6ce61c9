import { BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js";
import { expect, test } from "vitest";
import { readArchive } from "./read-archive.ts";

async function zip(...paths: string[]): Promise<Blob> {
  const writer = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  for (const path of paths)
    await writer.add(path, path.endsWith("/") ? undefined : new TextReader("# A"), {
      directory: path.endsWith("/"),
    });
  return writer.close();
}

test("the files of an archive are listed up to a limit, without its folders", async () => {
  const archive = await zip("posts/", "posts/a.md", "posts/b.md", "c.md");
  const listed = async (limit: number) => (await readArchive(archive, limit)).files.map(({ path }) => path);
  expect(await listed(9)).toEqual(["posts/a.md", "posts/b.md", "c.md"]);
  expect(await listed(2)).toEqual(["posts/a.md", "posts/b.md"]);
});

test("of files that share their bytes in an archive, only the first is read", async () => {
  const bytes = Buffer.from(await (await zip("a.md", "b.md")).bytes());
  // An entry of the directory has the position of its file at offset 42 (APPNOTE.TXT, 4.3.12).
  bytes.writeUInt32LE(0, bytes.lastIndexOf("PK\x01\x02") + 42);
  const { files } = await readArchive(new Blob([bytes]), 9);
  const texts = await Promise.allSettled(files.map(({ read }) => read()));
  expect(texts.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  await expect(files[1]?.read()).rejects.toMatchObject({ message: "is damaged" });
});
