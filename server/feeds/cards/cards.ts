import { hash } from "node:crypto";
import type { Handler } from "hono";
import { LRUCache } from "lru-cache";
import PQueue from "p-queue";
import { isUuid } from "../../../common/data/addresses.ts";
import { authorName } from "../../../common/data/author.ts";
import { findItem } from "../../../common/data/content-reads.ts";
import { experience, position } from "../../../common/data/experience.ts";
import { findPerson, skillsByProficiency } from "../../../common/data/people-reads.ts";
import type { DataReader } from "../../../common/data/reader.ts";
import type { Authored, ContentRow } from "../../../common/data/schema.ts";
import { KINDS, kindSlug } from "../../../common/kinds/index.ts";
import { isPublic } from "../../../common/kinds/kind-definition.ts";
import { programModule } from "../../config/program-folder.ts";
import { createWorkerThread } from "../../rendering/worker-thread.ts";
import type { CardText } from "./layout.ts";

/** An idle worker is kept for a while, because a new one takes half a second to load. */
const WORKER_IDLE_MS = 10 * 60_000;
/** The time that a card may wait for others, and the CPU time that it may need. */
const MAX_DRAWING_MS = 10_000;
const HEAP_MB = 205;
const CACHE_BYTES = 16 * 1024 * 1024;
const MAX_SKILLS = 5;

const CARD = /^\/cards\/([a-z-]+)\/([^/]+)\.png$/;

export function createCards(data: DataReader): Handler {
  const queue = new PQueue({ concurrency: 1 });
  const worker = createWorkerThread<CardText, Uint8Array | null>(
    programModule("server/feeds/cards/card-worker"),
    HEAP_MB,
  );
  let idleTimer: NodeJS.Timeout | undefined;

  async function draw(card: CardText): Promise<Uint8Array | null> {
    clearTimeout(idleTimer);
    const { result } = await worker.run(card, MAX_DRAWING_MS);
    idleTimer = setTimeout(worker.stop, WORKER_IDLE_MS).unref();
    return result;
  }

  // `png` is null for a card that cannot be drawn. It is cached too, so that the card isn't drawn again in vain.
  const drawings = new LRUCache<string, { png: Buffer<ArrayBuffer> | null }, CardText>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ png }) => png?.length ?? 1,
    // Waiting clients get the card even if the cache has no room for it.
    ignoreFetchAbort: true,
    async fetchMethod(_version, _old, { context: card }) {
      const signal = AbortSignal.timeout(MAX_DRAWING_MS);
      const png = await queue.add(() => {
        signal.throwIfAborted();
        return draw(card);
      });
      return { png: png && Buffer.from(png) };
    },
  });
  /** If our fonts lack a character, leaves out the site's name and, if that isn't enough, draws the site's own card. */
  async function drawLegibly(card: CardText): Promise<Buffer<ArrayBuffer> | null> {
    const site = siteCard(card.siteTitle);
    for (const text of [card, { ...card, siteTitle: "" }, site, { ...site, siteTitle: "" }]) {
      const version = hash("sha256", JSON.stringify(text), "base64");
      const { png } = await drawings.forceFetch(version, { context: text });
      if (png) return png;
    }
    return null;
  }

  async function read(address: string, siteTitle: string): Promise<CardText | null> {
    if (address === "/cards/site.png") return siteCard(siteTitle);
    const [, name, segment = ""] = CARD.exec(address) ?? [];
    const kind = KINDS.find((candidate) => candidate.hasSocialCard && kindSlug(candidate) === name);
    if (kind) {
      const item = await findItem<Authored<ContentRow>>(data, kind.table, segment);
      if (!item || !isPublic(kind, item)) return null;
      return { kicker: kind.itemName, title: item.title, lines: [authorName(item.profiles)], siteTitle };
    }
    const person = name === "people" && isUuid(segment) ? await findPerson(data, segment) : null;
    if (!person) return null;
    const skills = await skillsByProficiency(data, person.id, MAX_SKILLS);
    return {
      kicker: position(person),
      title: authorName(person),
      lines: [experience(person), skills.map(({ name }) => name).join(" · ")].filter(Boolean),
      siteTitle,
    };
  }

  return async (c) => {
    const card = await read(c.req.path, c.var.siteTitle);
    const png = card && (await drawLegibly(card));
    if (!png) return c.text("Not Found\n", 404, { "Cache-Control": "no-store" });
    return c.body(png, 200, {
      "Content-Type": "image/png",
      "Cache-Control": "no-cache",
      // `notModified` compares it with the client's copy.
      ETag: `"${hash("sha256", png, "base64url").slice(0, 27)}"`,
      // Other sites show the cards next to links to this site.
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
  };
}

const siteCard = (siteTitle: string): CardText => ({
  kicker: "",
  title: "Our Tech Expertise",
  lines: ["Portfolios, sample code and knowledge of Python, SQL and AWS professionals."],
  siteTitle,
});
