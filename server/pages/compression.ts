import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";

export type Encoding = "br" | "gzip" | "identity";

const ENCODINGS = ["br", "gzip", "identity"];

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** `preferred` decides between equals; the package's types do not know it yet. */
interface EncodingChooser {
  encoding(available: string[], options: { preferred: string[] }): Encoding | undefined;
}

/** Browsers say one of a few things, and reading it costs a tenth of a cached page. */
const chosen = new LRUCache<string, Encoding>({
  max: 100,
  memoMethod(accepted) {
    const negotiator: unknown = new Negotiator({ headers: { "accept-encoding": accepted } });
    return (negotiator as EncodingChooser).encoding(ENCODINGS, { preferred: ENCODINGS }) ?? "identity";
  },
});

export const chooseEncoding = (accepted = "") => chosen.memo(accepted);

/** A window of 256 kB holds the page of a list whole. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 18 } };

/** So few bytes are compressed sooner than another thread gets its turn on a busy machine. */
const FEW_BYTES = 64 * 1024;

export async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "identity") return bytes;
  if (encoding === "gzip") return zip(bytes, { level: 6 });
  return bytes.length <= FEW_BYTES ? brotliCompressSync(bytes, BROTLI) : brotli(bytes, BROTLI);
}
