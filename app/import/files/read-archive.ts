import { BlobReader, type FileEntry, ZipReader } from "@zip.js/zip.js/lib/zip-core-custom.js";
import { ReadError } from "../left-out.ts";
import { fileNameDecoder } from "./file-names.ts";
import { folders, joinPath } from "./paths.ts";
import type { SourceFile } from "./source-file.ts";

const STORED = 0;
const DEFLATED = 8;
/** Compression methods that we don't support (APPNOTE.TXT, 4.4.5). */
const METHODS: Record<number, string> = {
  1: "Shrink",
  6: "Implode",
  9: "Deflate64",
  12: "bzip2",
  14: "LZMA",
  93: "Zstandard",
  95: "xz",
  98: "PPMd",
};

const SIGNATURES: [name: string, bytes: number[]][] = [
  ["a RAR archive", [0x52, 0x61, 0x72, 0x21]],
  ["a 7z archive", [0x37, 0x7a, 0xbc, 0xaf]],
  ["a gzip archive", [0x1f, 0x8b]],
  ["an xz archive", [0xfd, 0x37, 0x7a, 0x58]],
];
const ZIP = [0x50, 0x4b, 0x03, 0x04];

/**
 * Lists the first `limit` files in a .zip archive without reading them. `isComplete` is false if the end of the central
 * directory is damaged. Throws ReadError if the central directory is unreadable.
 */
export async function readArchive(
  archive: Blob,
  limit: number,
): Promise<{ files: SourceFile[]; isComplete: boolean }> {
  const zip = new ZipReader(new BlobReader(archive), {
    useWebWorkers: false,
    // A stricter check would leave the rest of the archive unread after an unsafe name. `readFiles` checks each name.
    filenameValidation: "tolerant",
    checkCrc32: true,
    checkOverlappingEntry: true,
  });
  try {
    const entries: FileEntry[] = [];
    let isComplete = true;
    try {
      for await (const entry of zip.getEntriesGenerator()) {
        if (!entry.directory) entries.push(entry);
        if (entries.length >= limit) break;
      }
    } catch {
      if (entries.length === 0) throw new ReadError(await whyUnreadable(archive));
      isComplete = false;
    }
    const nameOf = fileNameDecoder(entries);
    const named = entries.map((entry) => ({ entry, name: nameOf(entry) }));
    const byPath = new Map(named.map(({ entry, name }) => [name.path, entry]));
    const files: SourceFile[] = [];
    for (const { entry, name } of named) {
      const content = isLink(entry) ? await contentOfLink(entry, name.path, byPath) : contentOf(entry);
      files.push({ ...name, ...content });
    }
    return { files, isComplete };
  } finally {
    await zip.close();
  }
}

/** Whether a file is a symbolic link, by its mode in Unix (APPNOTE.TXT, 4.4.15). */
const isLink = ({ externalFileAttributes }: FileEntry): boolean =>
  ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;

/** Longer than every path that Linux allows. */
const MAX_LINK_BYTES = 5_000;

/** Returns the content of a symbolic link's file, which must be in the archive. */
async function contentOfLink(
  entry: FileEntry,
  path: string,
  byPath: ReadonlyMap<string, FileEntry>,
): Promise<Omit<SourceFile, "path">> {
  const { size, lastModified, read } = contentOf(entry);
  const target =
    size > MAX_LINK_BYTES ? "" : new TextDecoder().decode(await read().catch(() => new Uint8Array()));
  const file = byPath.get(joinPath(folders(path)[0] ?? "", target));
  if (!target.startsWith("/") && file && !isLink(file)) return contentOf(file);
  return {
    size,
    lastModified,
    async read() {
      throw new ReadError("is a link to a file that the archive does not contain");
    },
  };
}

function contentOf(entry: FileEntry): Omit<SourceFile, "path"> {
  const { compressionMethod, encrypted } = entry;
  return {
    size: entry.uncompressedSize,
    lastModified: entry.lastModDate.getTime(),
    async read() {
      if (encrypted) throw new ReadError("is encrypted: please extract the archive with its password first");
      if (compressionMethod !== STORED && compressionMethod !== DEFLATED) {
        const method = METHODS[compressionMethod] ?? `number ${compressionMethod}`;
        throw new ReadError(
          `uses a compression method that Techfolio does not read (${method}): please extract the archive, or compress it as an ordinary .zip`,
        );
      }
      return entry.arrayBuffer().catch(() => {
        throw new ReadError("is damaged");
      });
    },
  };
}

async function whyUnreadable(file: Blob): Promise<string> {
  if (file.size === 0) return "is empty";
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const startsWith = (bytes: number[]) => bytes.every((byte, index) => start[index] === byte);
  const other = SIGNATURES.find(([, bytes]) => startsWith(bytes));
  if (other) return `is ${other[0]}, not a .zip archive: please choose a .zip archive`;
  if (startsWith(ZIP)) return "is damaged or incomplete: please download or compress it again";
  return "is not a readable archive";
}
