import { BlobReader, type FileEntry, ZipReader } from "@zip.js/zip.js/lib/zip-core-custom.js";
import type { Budget } from "./limits.ts";

/** One file of an archive: its bytes, or why there are none. */
export interface ZippedFile {
  path: string;
  modifiedAt: Date | null;
  content: Uint8Array<ArrayBuffer> | { problem: string };
}

/** Reads an archive file by file; what `refuse` gives a reason for is not inflated. Throws when it is no archive. */
export async function* unzip(
  archive: Blob,
  budget: Budget,
  refuse: (path: string) => string | null,
): AsyncGenerator<ZippedFile> {
  const zip = new ZipReader(new BlobReader(archive), {
    useWebWorkers: false,
    // One bad name must not hide the rest: `refuse` judges them.
    filenameValidation: "tolerant",
    checkCrc32: true,
    checkOverlappingEntry: true,
  });
  try {
    let files = 0;
    for await (const entry of zip.getEntriesGenerator()) {
      if (entry.directory) continue;
      if (++files > budget.files) {
        const problem = `is beyond the first ${budget.files} files: please import it in an archive of its own`;
        yield { path: "The rest of the archive", modifiedAt: null, content: { problem } };
        return;
      }
      const problem = refuse(entry.filename);
      const content = problem === null ? await inflate(entry, budget) : { problem };
      // Some programs on Windows write their own separators.
      const path = entry.filename.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
      yield { path, modifiedAt: entry.lastModDate ?? null, content };
    }
  } finally {
    await zip.close();
  }
}

async function inflate(entry: FileEntry, budget: Budget): Promise<ZippedFile["content"]> {
  if (entry.encrypted) return { problem: "is encrypted" };
  const limit = Math.min(budget.fileBytes, budget.totalBytes);
  const tooLarge = { problem: tooLargeFor(budget) };
  if (entry.uncompressedSize > limit) return tooLarge;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    await entry.getData(
      new WritableStream<Uint8Array<ArrayBuffer>>({
        write(part) {
          // What an archive says of its sizes need not be true.
          size += part.length;
          if (size > limit) throw new Error(tooLarge.problem);
          parts.push(part);
        },
      }),
    );
  } catch {
    return size > limit ? tooLarge : { problem: "is damaged" };
  } finally {
    budget.totalBytes -= Math.min(size, limit);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export function tooLargeFor({ fileBytes, totalBytes }: Budget): string {
  return fileBytes < totalBytes
    ? `is larger than ${Math.floor(fileBytes / 1024 / 1024)} MB`
    : "is more than one import can hold: please import it separately";
}
