import { BlobReader, ZipReader } from "@zip.js/zip.js/lib/zip-core-custom.js";

/** A file that was chosen or is in an archive. */
export interface SourceFile {
  path: string;
  size: number;
  modifiedAt: Date | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

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
        path: entry.filename,
        size: entry.uncompressedSize,
        modifiedAt: entry.lastModDate ?? null,
        arrayBuffer: () => entry.arrayBuffer(),
      };
    }
  } finally {
    await zip.close();
  }
}
