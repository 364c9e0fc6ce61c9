import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip" | "identity";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Takes an Accept-Encoding header, returns the best encoding that we speak (RFC 9110 §12.5.3). */
export function chooseEncoding(accepted: string | null): Encoding {
  const wanted = (accepted ?? "").toLowerCase().split(",");
  const codings = wanted
    .filter((coding) => !/;\s*q=0(\.0*)?\s*$/.test(coding))
    .map((coding) => coding.replace(/;.*/s, "").trim());
  return (["br", "gzip"] as const).find((encoding) => codings.includes(encoding)) ?? "identity";
}

/** A small window costs a page a tenth of the default's time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 16 } };

/** So few bytes are compressed sooner than another thread gets its turn on a busy machine. */
const FEW_BYTES = 64 * 1024;

/** Takes bytes and an encoding, returns them encoded. */
export async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "identity") return bytes;
  if (encoding === "gzip") return zip(bytes, { level: 6 });
  return bytes.length <= FEW_BYTES ? brotliCompressSync(bytes, BROTLI) : brotli(bytes, BROTLI);
}

/** Takes a text, returns how many bytes it has when it is sent. */
export function compressedBytes(text: string): number {
  return brotliCompressSync(text, BROTLI).length;
}
