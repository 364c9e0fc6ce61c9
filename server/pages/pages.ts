import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router";
import type { DataClient } from "../../app/data/client.ts";
import type * as serverEntry from "../../app/entry.server.tsx";
import type { PageContext, Site } from "../../app/site.ts";
import { errorMessage } from "../config/error-message.ts";
import type { Settings } from "../config/settings.ts";
import { pageLog } from "../http/access-log.ts";
import type { Log } from "../http/log.ts";
import { createQueue } from "../http/queue.ts";
import { contentSecurityPolicy } from "../http/security-headers.ts";
import type { Renderer } from "../rendering/renderer.ts";
import { pageAddress } from "./cache-key.ts";
import { chooseEncoding, compress, compressedBytes, type Encoding } from "./compression.ts";
import { type ReadyAnswer, ReadyAnswers, sendReady } from "./ready-answers.ts";
import { type CacheCounts, type Page, PageCache, type RenderedPage } from "./response-cache.ts";

/** So many pages are made at once, and so many more wait, none longer than this: the rest is told to come again. */
const LIMITS = { atOnce: 4, mostWaiting: 64, longestWait: 2_500 };

const RETRY_AFTER = "2";
const SERVER_PATHS = new Set(["/healthz", "/readyz", "/metrics"]);

/** More pages are asked for than can be made. */
class CrowdedError extends Error {
  override readonly name = "CrowdedError";
}

/** What pages are made from. */
export interface PageParts {
  settings: Settings;
  /** Returns the application's build; in development it changes under way. */
  loadBuild(): Promise<ServerBuild>;
  /** Takes the request's host name, returns the site as it is called there. */
  site(host: string): Site;
  data: DataClient;
  render: Renderer["render"];
  log: Log;
  isProduction: boolean;
  /** What every answer of the site carries. */
  headers: Record<string, string>;
}

/** The pages of the site, rendered on the server and kept until a write. */
export interface Pages {
  /** Takes a GET or HEAD request, its id, and if there is one the message that it came as; returns the page's answer. */
  handle(request: Request, requestId: string, message?: IncomingMessage): Promise<Response>;
  /** Takes a request, its answer and its id; returns what it was answered with, if it has been asked before and nothing was written since. */
  answerReady(request: IncomingMessage, response: ServerResponse, requestId: string): ReadyAnswer | undefined;
  /** Takes a request that has just arrived, returns whether it would make one page more than can be made soon. */
  isTooMuch(request: IncomingMessage): boolean;
  /** Takes what ends it, has the newest items' texts rendered, so that who asks for them first need not wait. Never throws. */
  renderAhead(end: AbortSignal): Promise<void>;
  /** Forgets every page: the next visitor gets a new one. */
  clear(): void;
  /** Takes whether every write is told by `clear`. Until it is, a page is shown for a second at most. */
  following(isFollowing: boolean): void;
  /** Returns how often a page was in the cache so far. */
  counts(): CacheCounts;
}

const UNFOLLOWED_LIFETIME_MS = 1_000;

/** Takes the parts, returns the pages. */
export function createPages({
  settings,
  loadBuild,
  site,
  data,
  render,
  log,
  isProduction,
  headers: siteHeaders,
}: PageParts): Pages {
  const ready = new ReadyAnswers();
  const cache = new PageCache();
  cache.lifetime = UNFOLLOWED_LIFETIME_MS;
  const queue = createQueue(LIMITS, () => new CrowdedError());

  const handlers = new WeakMap<ServerBuild, RequestHandler>();

  /** One for each build: it prepares all routes. */
  function handlerOf(build: ServerBuild): RequestHandler {
    const handler =
      handlers.get(build) ?? createRequestHandler(build, isProduction ? "production" : "development");
    handlers.set(build, handler);
    return handler;
  }

  const keyOf = (url: URL) => `${site(url.hostname).title} ${pageAddress(url)}`;

  function ask(request: Request, host: string, requestId: string, isDocument: boolean) {
    return queue.run(() => answer(request, host, requestId, isDocument));
  }

  async function entry() {
    const build = await loadBuild();
    return { build, module: build.entry.module as unknown as typeof serverEntry };
  }

  /** What the loaders of one request are given, and what they say. */
  function contextOf(host: string, requestId: string, isDocument: boolean) {
    const said = { html: Buffer.alloc(0) as Buffer, isComplete: true, isFinal: true };
    const context: PageContext = {
      site: site(host),
      data,
      render: (jobs) =>
        render(jobs, () => {
          said.isFinal = false;
        }),
      isDocument,
      renderedHtml: new Map(),
      keepDocument(html) {
        said.html = html;
      },
      compressedBytes,
      logFailure(event, error) {
        said.isComplete = false;
        log.error(event, { requestId, reason: errorMessage(error) });
      },
    };
    return { context, said };
  }

  async function answer(request: Request, host: string, requestId: string, isDocument: boolean) {
    const { build, module } = await entry();
    const { context, said } = contextOf(host, requestId, isDocument);
    const response = await handlerOf(build)(request, module.createLoadContext(context));
    return { response, ...said };
  }

  async function renderPage(address: string, host: string, requestId: string): Promise<RenderedPage> {
    const request = new Request(new URL(address, settings.siteUrl));
    const { response, html, isComplete, isFinal } = await ask(request, host, requestId, true);
    return {
      html,
      isComplete: isComplete && response.status < 500,
      isFinal,
      // What the visitor sees is the same, but nobody should keep a page that lacks what could not be read.
      status: isComplete ? response.status : 503,
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        ...(isProduction && {
          "Content-Security-Policy": contentSecurityPolicy(html, site(host).backend.url),
        }),
        ...(!isComplete && { "Retry-After": RETRY_AFTER }),
      },
    };
  }

  async function handleDocument(
    request: Request,
    url: URL,
    requestId: string,
    message?: IncomingMessage,
  ): Promise<Response> {
    const address = pageAddress(url);
    const key = keyOf(url);
    const rendered = () => renderPage(address, url.hostname, requestId);
    const page = isProduction ? await cache.get(key, rendered) : await new PageCache().get(key, rendered);
    const encoding = chooseEncoding(request.headers.get("Accept-Encoding"));
    const body = await page.body(encoding);
    const headers = headersOf(page, encoding, body);
    // An address with other parameters is the same page, but not worth remembering.
    if (message && page.status === 200 && address === url.pathname + url.search && cache.holds(key, page)) {
      const complete = { ...headers, ...siteHeaders, "X-Request-Id": "" };
      const path = url.pathname;
      ready.keep(message, {
        headers: Object.entries(complete).flat(),
        body,
        path,
        logAnswered: pageLog(log, path),
      });
    }
    return send(request, page, headers, body);
  }

  async function handleData(request: Request, url: URL, requestId: string): Promise<Response> {
    // A request of our own: a visitor who has left must not look like a failure of the page.
    const { response, isComplete } = await ask(new Request(url), url.hostname, requestId, false);
    const encoding = chooseEncoding(request.headers.get("Accept-Encoding"));
    const headers = new Headers(response.headers);
    headers.set("Cache-Control", "no-store");
    headers.set("Vary", "Accept-Encoding");
    if (!isComplete) headers.set("Retry-After", RETRY_AFTER);
    if (encoding !== "identity") headers.set("Content-Encoding", encoding);
    const body = await compress(Buffer.from(await response.arrayBuffer()), encoding);
    const status = isComplete ? response.status : 503;
    return new Response(new Uint8Array(body), { status, headers });
  }

  return {
    async handle(request, requestId, message) {
      const url = new URL(request.url);
      try {
        if (isData(url)) return await handleData(request, url, requestId);
        return await handleDocument(request, url, requestId, message);
      } catch (error) {
        if (error instanceof CrowdedError) return crowded();
        throw error;
      }
    },
    answerReady(request, response, requestId) {
      const answer = ready.find(request);
      if (!answer) return undefined;
      cache.counts.hits++;
      sendReady(response, answer, requestId);
      return answer;
    },
    isTooMuch(request) {
      if (!queue.isFull()) return false;
      const url = URL.parse(request.url ?? "", `http://${request.headers.host}`);
      if (!url || !leadsToPage(url.pathname)) return false;
      return isData(url) || !cache.has(keyOf(url));
    },
    clear() {
      cache.clear();
      ready.clear();
    },
    counts: () => cache.counts,
    async renderAhead(end) {
      try {
        await (await entry()).module.renderNewest(contextOf("", "", false).context, end);
      } catch (error) {
        if (!end.aborted) log.warn("render.ahead", { reason: errorMessage(error) });
      }
    },
    following(isFollowing) {
      ready.clear();
      cache.lifetime = isFollowing ? Number.POSITIVE_INFINITY : UNFOLLOWED_LIFETIME_MS;
    },
  };
}

/** Whether the path leads to what the application answers by itself, unlike a file or the server's own addresses. */
function leadsToPage(path: string): boolean {
  return path.endsWith(".data") || !(path.includes(".") || SERVER_PATHS.has(path));
}

function isData({ pathname }: URL): boolean {
  return pathname.endsWith(".data") || pathname.startsWith("/lists/");
}

function crowded(): Response {
  return new Response("Too many pages are asked for at this moment. Please try again shortly.\n", {
    status: 503,
    headers: { "Cache-Control": "no-store", "Content-Type": "text/plain; charset=utf-8", "Retry-After": "1" },
  });
}

function headersOf(page: Page, encoding: Encoding, body: Buffer): Record<string, string> {
  return {
    ...page.headers,
    ETag: page.etag,
    // Kept by the browser, but asked for again each time: a write is seen at once, a repeated visit costs a 304.
    "Cache-Control": page.status === 200 ? "no-cache" : "no-store",
    Vary: "Accept-Encoding, Host",
    "Content-Length": String(body.length),
    ...(encoding !== "identity" && { "Content-Encoding": encoding }),
  };
}

function send(request: Request, page: Page, headers: Record<string, string>, body: Buffer): Response {
  if (page.status === 200 && matches(request.headers.get("If-None-Match"), page.etag)) {
    const { "Content-Length": _length, "Content-Encoding": _encoding, ...rest } = headers;
    return new Response(null, { status: 304, headers: rest });
  }
  return new Response(request.method === "HEAD" ? null : (body as Buffer<ArrayBuffer>), {
    status: page.status,
    headers,
  });
}

/** Takes an If-None-Match header and an entity tag, returns whether they agree (RFC 9110 §13.1.2, weak comparison). */
function matches(header: string | null, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, "");
  return (header ?? "").split(",").some((tag) => tag.trim() === "*" || bare(tag) === bare(etag));
}
