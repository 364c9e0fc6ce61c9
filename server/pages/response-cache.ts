import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { compress, type Encoding } from "./compression.ts";

const CACHE_BYTES = 64 * 1024 * 1024;

/** A page as it was rendered, before it is compressed. */
export interface RenderedPage {
  status: number;
  headers: Record<string, string>;
  /** In UTF-8. */
  html: Buffer;
  /** False when a read failed: what is shown then must not be shown to the next visitor. */
  isComplete: boolean;
  /** False when some texts are still being rendered: the next visitor may see more. */
  isFinal: boolean;
}

/** A page that is ready to be sent, compressed once per encoding. */
export class Page {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly etag: string;
  readonly size: number;
  readonly #html: Buffer;
  readonly #bodies = new Map<Encoding, Promise<Buffer>>();

  constructor({ status, headers, html }: RenderedPage) {
    this.status = status;
    this.headers = headers;
    this.#html = html;
    // Weak, because the same page has several encodings (RFC 9110 §8.8.1).
    this.etag = `W/"${hash("sha256", this.#html, "base64url").slice(0, 27)}"`;
    this.size = this.#html.length * 2;
  }

  /** Takes an encoding, returns the page's bytes in it. */
  body(encoding: Encoding): Promise<Buffer> {
    const known = this.#bodies.get(encoding);
    if (known) return known;
    const body = compress(this.#html, encoding);
    this.#bodies.set(encoding, body);
    return body;
  }
}

/** How often a page was there when it was asked for, and how often not. */
export interface CacheCounts {
  hits: number;
  misses: number;
}

/** A page with the time from which on it may be out of date: when its reads began. */
interface Kept {
  page: Page;
  readAt: number;
}

/** Rendered pages by address. Any number of requests that wait for the same page cost one rendering. */
export class PageCache {
  /** For how many milliseconds a page is kept, counted from when its rendering began. */
  lifetime = Number.POSITIVE_INFINITY;
  readonly counts: CacheCounts = { hits: 0, misses: 0 };
  readonly #pages = new LRUCache<string, Kept>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ page }) => page.size,
  });
  readonly #rendering = new Map<string, Promise<Page>>();
  #generation = 0;

  /** Takes a key and how to render its page, returns the page from the cache or renders it. */
  get(key: string, render: () => Promise<RenderedPage>): Promise<Page> | Page {
    const cached = this.#pages.get(key);
    if (cached && performance.now() - cached.readAt < this.lifetime) {
      this.counts.hits++;
      return cached.page;
    }
    this.counts.misses++;
    const waiting = this.#rendering.get(key);
    if (waiting) return waiting;

    const generation = this.#generation;
    const readAt = performance.now();
    // What cannot be read now has hardly been written either: better old than none. A write would have cleared it.
    const fallback = () => (cached && generation === this.#generation ? cached.page : undefined);
    const rendering = render()
      .then((rendered) => {
        const old = rendered.isComplete ? undefined : fallback();
        if (old) return old;
        const page = new Page(rendered);
        // A write that came in between may not be on it yet.
        const isLasting = rendered.isComplete && rendered.isFinal;
        if (isLasting && generation === this.#generation) this.#pages.set(key, { page, readAt });
        return page;
      })
      .catch((error: unknown) => {
        const old = fallback();
        if (old) return old;
        throw error;
      })
      .finally(() => {
        if (this.#rendering.get(key) === rendering) this.#rendering.delete(key);
      });
    this.#rendering.set(key, rendering);
    return rendering;
  }

  /** Takes a key and a page, returns whether that page may be shown until the next `clear`. */
  holds(key: string, page: Page): boolean {
    return this.lifetime === Number.POSITIVE_INFINITY && this.#pages.peek(key)?.page === page;
  }

  /** Returns whether the page of this key is there, however old. */
  has(key: string): boolean {
    return this.#pages.has(key);
  }

  /** Forgets every page: called after each write, so that the next visitor sees it. */
  clear(): void {
    this.#generation++;
    this.#pages.clear();
    this.#rendering.clear();
  }
}
