import type { Handler, MiddlewareHandler } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import { errorMessage } from "../config/error-message.ts";
import { type Admit, render } from "../http/admission.ts";
import { respondComplete } from "../http/common-headers.ts";
import type { Log } from "../http/log.ts";
import type { CacheKey } from "./cache-key.ts";
import { chooseEncoding } from "./compression.ts";
import { CachedAnswer, type MadeAnswer, type ResponseCache } from "./response-cache.ts";

/** What an answer is made from. Nothing else of a request may change it. */
export interface AnswerRequest {
  address: string;
  siteTitle: string;
  /** For the log: of the request that was the first to ask. */
  requestId: string;
}

/** `params` are those of the route. Null where there is nothing. Throws where it cannot be read now. */
export type MakeAnswer = (
  request: AnswerRequest,
  params: Record<string, string>,
) => Promise<MadeAnswer | null>;

type KeyOf = (path: string, query: URLSearchParams) => CacheKey;

/** Of a request, which Hono has parsed before: to parse it once more costs a twentieth of a cached page. */
const ADDRESS = /^\w+:\/\/([^/?:]*)[^?]*(\?.*)?/;

function plain(status: number, text: string, headers = {}): MadeAnswer {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...headers },
    body: Buffer.from(text),
    isFinal: false,
  };
}

const NOT_FOUND = plain(404, "Not Found\n");
const UNREADABLE = plain(503, "Please try again in a moment.\n", { "retry-after": "2" });

export function createCached(
  cache: ResponseCache,
  titleOf: (hostname: string) => string,
  isKept: boolean,
  log: Log,
) {
  return (keyOf: KeyOf, make: MakeAnswer, admit: Admit = render): Handler =>
    async (context) => {
      const [, hostname = "", query] = ADDRESS.exec(context.req.url) ?? [];
      const { address, isFixed, isFresh } = keyOf(context.req.path, new URLSearchParams(query));
      const siteTitle = titleOf(hostname);
      const requestId = context.get("requestId");
      const makeNow = async () => {
        try {
          return (await make({ address, siteTitle, requestId }, context.req.param())) ?? NOT_FOUND;
        } catch (error) {
          log.error({ requestId, reason: errorMessage(error) }, "answer.failed");
          return UNREADABLE;
        }
      };
      const admitted = isFixed ? makeNow : () => admit(context, makeNow);
      const answer =
        isKept && !isFresh
          ? await cache.get(`${siteTitle} ${address}`, admitted)
          : new CachedAnswer(await admitted());
      // What the browser has is not sent, and so need not be compressed.
      const isKnown = context.req.header("If-None-Match") === answer.etag;
      const encoding = isKnown ? "identity" : chooseEncoding(context.req.header("Accept-Encoding"));
      const encoded = await answer.encode(encoding);
      return respondComplete(context, encoded.body, encoded);
    };
}

// A browser would put the policy of a 304 in the place of the page's own.
const compare = etag({ retainedHeaders: [...RETAINED_304_HEADERS, "Content-Security-Policy"] });

export const notModified: MiddlewareHandler = (context, next) =>
  context.req.header("If-None-Match") === undefined ? next() : compare(context, next);
