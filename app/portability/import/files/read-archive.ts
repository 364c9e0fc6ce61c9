import { BlobReader, ZipReader } from "@zip.js/zip.js/lib/zip-core-custom.js";

/** A file that was chosen or is in an archive: then its name is its path. */
export type SourceFile = Pick<File, "name" | "size" | "lastModified" | "arrayBuffer">;

/** Throws when it is no archive. A file of another size or checksum than the archive says cannot be read. */
export async function* unzip(archive: Blob): AsyncGenerator<SourceFile> {
  const zip = new ZipReader(new BlobReader(archive), {
    useWebWorkers: false,
    // One bad name must not hide the rest: they are judged one by one.
    filenameValidation: "tolerant",
    checkCrc32: true,
    checkOverlappingEntry: true,
  });
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      if (entry.directory) continue;
      yield {
        name: entry.filename,
        size: entry.uncompressedSize,
        lastModified: entry.lastModDate.getTime(),
        arrayBuffer: () => entry.arrayBuffer(),
      };
    }
  } finally {
    await zip.close();
  }
}
