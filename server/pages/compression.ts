import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";

export type Encoding = "br" | "gzip" | "identity";

const ENCODINGS = ["br", "gzip", "identity"];

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Negotiator's types lack the option `preferred`, which decides between encodings that the client weights equally. */
interface EncodingChooser {
  encoding(available: string[], options: { preferred: string[] }): Encoding | undefined;
}

export function chooseEncoding(acceptEncoding = ""): Encoding {
  const negotiator: unknown = new Negotiator({ headers: { "accept-encoding": acceptEncoding } });
  return (negotiator as EncodingChooser).encoding(ENCODINGS, { preferred: ENCODINGS }) ?? "identity";
}

/** LGWIN 18 is a window of 256 KiB, which covers an ordinary list page. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 18 } };

export async function compress(bytes: Buffer<ArrayBuffer>, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  if (encoding === "identity") return bytes;
  return encoding === "gzip" ? zip(bytes, { level: 6 }) : brotli(bytes, BROTLI);
}
