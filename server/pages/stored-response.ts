import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import Negotiator from "negotiator";

/** An estimate of the memory that the headers and the object need. */
const OVERHEAD_BYTES = 1_024;

/** A complete response that can be sent to many clients. Its body is compressed at most once per encoding. */
export class StoredResponse {
  readonly status: number;
  readonly size: number;
  readonly isCacheable: boolean;
  readonly #headers: Record<string, string>;
  readonly #body: Buffer<ArrayBuffer>;
  readonly #encoded = new Map<Encoding, Promise<Buffer<ArrayBuffer>>>();

  private constructor(status: number, headers: Headers, body: Buffer<ArrayBuffer>) {
    this.status = status;
    this.size = body.length * 2 + OVERHEAD_BYTES;
    this.isCacheable = status === 200 && /\bs-maxage=[1-9]/.test(headers.get("cache-control") ?? "");
    this.#body = body;
    this.#headers = {
      "cache-control": "no-store",
      ...Object.fromEntries(headers),
      vary: "Accept-Encoding",
      // Weak, because all encodings of a page share it (RFC 9110 §8.8.1).
      etag: `W/"${hash("sha256", body, "base64url").slice(0, 27)}"`,
    };
  }

  static async from(response: Response): Promise<StoredResponse> {
    return new StoredResponse(response.status, response.headers, Buffer.from(await response.arrayBuffer()));
  }

  async getResponse(acceptEncoding: string | undefined): Promise<Response> {
    const isImage = this.#headers["content-type"]?.startsWith("image/");
    const encoding = isImage ? "identity" : chooseEncoding(acceptEncoding);
    const body = await this.#encode(encoding);
    const headers = {
      ...this.#headers,
      ...(encoding !== "identity" && { "content-encoding": encoding }),
      "content-length": String(body.length),
    };
    return new Response(body, { status: this.status, headers });
  }

  #encode(encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
    const encoded = this.#encoded.get(encoding) ?? compress(this.#body, encoding);
    this.#encoded.set(encoding, encoded);
    return encoded;
  }
}

type Encoding = "br" | "gzip" | "identity";

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
