import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip, createZstdCompress, createZstdDecompress } from "node:zlib";
import { OperatorError } from "../../config/operator-error.ts";

// The checksum reveals a damaged copy.
const ZSTD = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

const FORMATS = [
  { ending: ".gz", start: "1f8b", compress: createGzip, decompress: createGunzip },
  {
    ending: ".zst",
    start: "28b52ffd",
    compress: () => createZstdCompress(ZSTD),
    decompress: createZstdDecompress,
  },
];

/** Compresses a dump if its file's name ends in `.gz` or `.zst`. */
export function compressFor(name: string, content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const format = FORMATS.find(({ ending }) => name.endsWith(ending));
  return format === undefined ? content : through(content, format.compress());
}

/**
 * Reads a file, and decompresses it whatever its name is. Calls `onRead` with the size of each piece of the file. Throws
 * OperatorError if the compressed data is damaged or incomplete.
 */
export async function* readDecompressed(
  file: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const format = await findFormat(file);
  const read = createReadStream(file).on("data", (piece) => onRead(piece.length));
  if (format === undefined) return yield* read as AsyncIterable<Buffer>;
  try {
    yield* through(read as AsyncIterable<Buffer>, format.decompress());
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!/^Z(STD)?_/.test(code)) throw error;
    throw new OperatorError(
      `The backup is incomplete or damaged (${message}): copy it again. Nothing was restored.`,
    );
  }
}

/** Throws OperatorError if the file is compressed, and damaged or incomplete. */
export async function checkDamage(file: string): Promise<void> {
  if ((await findFormat(file)) === undefined) return;
  for await (const _piece of readDecompressed(file, () => undefined));
}

/** Returns undefined if the file is not compressed. */
async function findFormat(file: string) {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  const start = buffer.subarray(0, bytesRead).toString("hex");
  return FORMATS.find((format) => start.startsWith(format.start));
}

async function* through(content: AsyncIterable<Buffer>, transform: Duplex): AsyncGenerator<Buffer> {
  const done = pipeline(content, transform);
  // An error also ends the iteration over `transform`, which throws it.
  done.catch(() => undefined);
  yield* transform as AsyncIterable<Buffer>;
  await done;
}
