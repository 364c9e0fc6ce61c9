import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { compress, type Encoding } from "./compression.ts";

const CACHE_BYTES = 64 * 1024 * 1024;

export interface MadeAnswer {
  /** From 500 on a read has failed: the next visitor gets a new one. */
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** False when the next visitor may see more, because some of it is still being rendered. */
  isFinal: boolean;
}

interface Encoded {
  status: number;
  headers: Record<string, string>;
  body: Buffer<ArrayBuffer>;
}

export class CachedAnswer {
  readonly status: number;
  readonly etag: string;
  readonly size: number;
  readonly isLasting: boolean;
  /** When its reads began: what was written since is not in it. */
  readonly readAt: number;
  readonly #headers: Record<string, string>;
  readonly #body: Buffer;
  readonly #encoded = new Map<Encoding, Promise<Encoded>>();

  constructor({ status, headers, body, isFinal }: MadeAnswer, readAt = performance.now()) {
    this.status = status;
    this.readAt = readAt;
    this.isLasting = status < 500 && isFinal;
    this.#headers = headers;
    this.#body = body;
    // Weak, because the same answer has several encodings (RFC 9110 §8.8.1).
    this.etag = `W/"${hash("sha256", body, "base64url").slice(0, 27)}"`;
    this.size = body.length * 2;
  }

  encode(encoding: Encoding): Promise<Encoded> {
    const useful = this.#headers["content-type"]?.startsWith("image/") ? "identity" : encoding;
    const known = this.#encoded.get(useful);
    if (known) return known;
    const encoded = this.#encode(useful);
    this.#encoded.set(useful, encoded);
    return encoded;
  }

  async #encode(encoding: Encoding): Promise<Encoded> {
    const body = (await compress(this.#body, encoding)) as Buffer<ArrayBuffer>;
    const headers = {
      // Browsers keep it but ask again each time: a write is seen at once, a repeated visit costs a 304.
      "cache-control": this.status === 200 ? "no-cache" : "no-store",
      ...this.#headers,
      etag: this.etag,
      vary: "Accept-Encoding, Host",
      "content-length": String(body.length),
      ...(encoding !== "identity" && { "content-encoding": encoding }),
    };
    return { status: this.status, headers, body };
  }
}

/** Answers by key, until a write. Any number of requests that wait for the same answer make it once. */
export class ResponseCache {
  lifetimeMs = Number.POSITIVE_INFINITY;
  readonly counts = { hits: 0, misses: 0 };
  readonly #answers = new LRUCache<string, CachedAnswer, () => Promise<MadeAnswer>>({
    maxSize: CACHE_BYTES,
    // What must not be kept is larger than anything may be.
    sizeCalculation: ({ isLasting, size }) => (isLasting ? size : CACHE_BYTES + 1),
    // Who asked before a write gets what is made for them, and nobody else does.
    ignoreFetchAbort: true,
    async fetchMethod(_key, old, { context: make }) {
      const readAt = performance.now();
      try {
        const made = await make();
        // What cannot be read now has hardly been written either: better old than none.
        return (made.status >= 500 && old) || new CachedAnswer(made, readAt);
      } catch (error) {
        if (old) return old;
        throw error;
      }
    },
  });

  get(key: string, make: () => Promise<MadeAnswer>): Promise<CachedAnswer> | CachedAnswer {
    const kept = this.#answers.get(key);
    if (kept && performance.now() - kept.readAt < this.lifetimeMs) {
      this.counts.hits++;
      return kept;
    }
    this.counts.misses++;
    return this.#answers.forceFetch(key, { context: make, forceRefresh: true });
  }

  /** Drops what is being made, too: the next who asks has it made anew. */
  clear(): void {
    this.#answers.clear();
  }
}
