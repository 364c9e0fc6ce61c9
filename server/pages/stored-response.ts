import { hash } from "node:crypto";
import { chooseEncoding, compress, type Encoding } from "./compression.ts";

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
