import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Tinypool } from "tinypool";
import { authorName } from "../../../app/data/author.ts";
import { articleForCard, personForCard } from "../../../app/data/card-reads.ts";
import type { DataClient } from "../../../app/data/client.ts";
import { experience, position } from "../../../app/data/experience.ts";
import { errorMessage } from "../../config/error-message.ts";
import type { Log } from "../../http/log.ts";
import type { CacheKey } from "../../pages/cache-key.ts";
import type { AnswerRequest } from "../../pages/cached.ts";
import type { MadeAnswer } from "../../pages/response-cache.ts";
import type { CardText } from "./layout.ts";

/** A new worker takes half a second to load. */
const WORKER_IDLE_MS = 10 * 60_000;
const LONGEST_DRAWING_MS = 10_000;
const KEPT_BYTES = 16 * 1024 * 1024;
const SKILLS = 5;

const CARD = /^\/cards\/(articles|people)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.png$/;

export const cardKey = (path: string): CacheKey => ({ address: path, isFixed: false });

export function createCards({ data, log }: { data: DataClient; log: Log }) {
  const drawn = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ length }) => length,
  });
  let pool: Tinypool | undefined;

  async function draw(card: CardText): Promise<Buffer | null> {
    pool ??= new Tinypool({
      filename: new URL("./card-worker.ts", import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: WORKER_IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    const png: Uint8Array | null = await pool.run(card, { signal: AbortSignal.timeout(LONGEST_DRAWING_MS) });
    return png && Buffer.from(png);
  }

  /** Null when no font here can write it. */
  async function cardOf(card: CardText): Promise<Buffer | null> {
    const version = hash("sha256", JSON.stringify(card), "base64");
    const known = drawn.get(version);
    if (known) return known.length > 0 ? known : null;
    const png = await draw(card);
    drawn.set(version, png ?? Buffer.alloc(0));
    return png;
  }

  async function read(address: string, siteTitle: string): Promise<CardText | null> {
    if (address === "/cards/site.png") return siteCard(siteTitle);
    const [, kind, id = ""] = CARD.exec(address) ?? [];
    if (kind === "articles") {
      const article = await articleForCard(data, id);
      if (!article) return null;
      return { kicker: "Article", title: article.title, lines: [authorName(article.profiles)], siteTitle };
    }
    const person = kind === "people" ? await personForCard(data, id, SKILLS) : null;
    if (!person) return null;
    return {
      kicker: position(person),
      title: authorName(person),
      lines: [experience(person), person.skills.map(({ name }) => name).join(" · ")].filter(Boolean),
      siteTitle,
    };
  }

  async function make(address: string, siteTitle: string): Promise<MadeAnswer> {
    const card = await read(address, siteTitle);
    if (!card) return NOT_FOUND;
    const png = (await cardOf(card)) ?? (await cardOf(siteCard(siteTitle)));
    return png ? pngAnswer(png) : NOT_FOUND;
  }

  return {
    async answer({ address, siteTitle, requestId }: AnswerRequest): Promise<MadeAnswer> {
      try {
        return await make(address, siteTitle);
      } catch (error) {
        log.error("card.failed", { requestId, reason: errorMessage(error) });
        return UNREADABLE;
      }
    },
    async close(): Promise<void> {
      await pool?.destroy();
    },
  };
}

const siteCard = (siteTitle: string): CardText => ({
  kicker: "",
  title: "Our Tech Expertise",
  lines: ["Portfolios, sample code and knowledge of Python, SQL and AWS professionals."],
  siteTitle,
});

/** Pages keep their place in the response cache: cards are kept here. */
const NOT_KEPT = { isComplete: true, isFinal: false };

const pngAnswer = (body: Buffer): MadeAnswer => ({
  status: 200,
  headers: { "Content-Type": "image/png" },
  body,
  ...NOT_KEPT,
});

const plain = (status: number, text: string, headers = {}): MadeAnswer => ({
  status,
  headers: { "Content-Type": "text/plain; charset=utf-8", ...headers },
  body: Buffer.from(text),
  ...NOT_KEPT,
});
const NOT_FOUND = plain(404, "Not Found\n");
const UNREADABLE = plain(503, "Please try again in a moment.\n", { "Retry-After": "2" });
