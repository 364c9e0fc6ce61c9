import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { compress, type Encoding } from "./compression.ts";

const CACHE_BYTES = 64 * 1024 * 1024;

export interface MadeAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** False when a read failed: the next visitor gets a new one. */
  isComplete: boolean;
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
  readonly #headers: Record<string, string>;
  readonly #body: Buffer;
  readonly #encoded = new Map<Encoding, Promise<Encoded>>();

  constructor({ status, headers, body }: MadeAnswer) {
    this.status = status;
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

export interface CacheCounts {
  hits: number;
  misses: number;
}

interface Kept {
  answer: CachedAnswer;
  /** When its reads began: what was written since is not in it. */
  readAt: number;
}

/** Answers by key, until a write. Any number of requests that wait for the same answer make it once. */
export class ResponseCache {
  /** In milliseconds, from when an answer's making began. */
  lifetime = Number.POSITIVE_INFINITY;
  readonly counts: CacheCounts = { hits: 0, misses: 0 };
  readonly #answers = new LRUCache<string, Kept>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ answer }) => answer.size,
  });
  readonly #making = new Map<string, Promise<CachedAnswer>>();
  #generation = 0;

  get(key: string, make: () => Promise<MadeAnswer>): Promise<CachedAnswer> | CachedAnswer {
    const kept = this.#answers.get(key);
    if (kept && performance.now() - kept.readAt < this.lifetime) {
      this.counts.hits++;
      return kept.answer;
    }
    this.counts.misses++;
    const waiting = this.#making.get(key);
    if (waiting) return waiting;

    const generation = this.#generation;
    const making = this.#make(key, make, kept).finally(() => {
      if (generation === this.#generation) this.#making.delete(key);
    });
    this.#making.set(key, making);
    return making;
  }

  async #make(key: string, make: () => Promise<MadeAnswer>, kept: Kept | undefined): Promise<CachedAnswer> {
    const generation = this.#generation;
    const readAt = performance.now();
    // What cannot be read now has hardly been written either: better old than none. A write would have cleared it.
    const fallback = () => (generation === this.#generation ? kept?.answer : undefined);
    try {
      const made = await make();
      const old = made.isComplete ? undefined : fallback();
      if (old) return old;
      const answer = new CachedAnswer(made);
      const isLasting = made.isComplete && made.isFinal && generation === this.#generation;
      if (isLasting) this.#answers.set(key, { answer, readAt });
      return answer;
    } catch (error) {
      const old = fallback();
      if (old) return old;
      throw error;
    }
  }

  clear(): void {
    this.#generation++;
    this.#answers.clear();
    this.#making.clear();
  }
}
