import type { Context } from "hono";
import { createRequestHandler, type RequestHandler, type ServerBuild } from "react-router";
import type { DataClient } from "../../app/data/client.ts";
import type * as serverEntry from "../../app/entry.server.tsx";
import type { PageContext, Site } from "../../app/site.ts";
import { errorMessage } from "../config/error-message.ts";
import type { Settings } from "../config/settings.ts";
import type { Log } from "../http/log.ts";
import type { Renderer } from "../rendering/renderer.ts";
import { namesRow } from "./cache-key.ts";
import type { AnswerRequest } from "./cached.ts";
import { chooseEncoding, compress } from "./compression.ts";
import { contentSecurityPolicy, type InlineCode } from "./content-security-policy.ts";
import type { MadeAnswer } from "./response-cache.ts";

const RETRY_AFTER_SECONDS = "2";

export interface PageParts {
  settings: Settings;
  loadBuild(): Promise<ServerBuild>;
  site(title: string): Site;
  titleOf(hostname: string): string;
  data: DataClient;
  render: Renderer["render"];
  log: Log;
  isProduction: boolean;
}

interface PageRequest {
  siteTitle: string;
  requestId: string;
  isDocument: boolean;
}

export function createPages(parts: PageParts) {
  const { settings, loadBuild, data, log, isProduction } = parts;
  const handlers = new WeakMap<ServerBuild, RequestHandler>();

  function handlerOf(build: ServerBuild): RequestHandler {
    const mode = isProduction ? "production" : "development";
    const handler = handlers.get(build) ?? createRequestHandler(build, mode);
    handlers.set(build, handler);
    return handler;
  }

  async function loadEntry() {
    const build = await loadBuild();
    return { build, entry: build.entry.module as unknown as typeof serverEntry };
  }

  function contextOf({ siteTitle, requestId, isDocument }: PageRequest) {
    const inline: InlineCode = { scripts: [], styles: [] };
    const said = { html: Buffer.alloc(0) as Buffer, inline, isComplete: true, isFinal: true };
    const context: PageContext = {
      site: parts.site(siteTitle),
      data,
      render: (jobs) =>
        parts.render(jobs, () => {
          said.isFinal = false;
        }),
      isDocument,
      renderedHtml: new Map(),
      keepDocument: (html, inline) => void Object.assign(said, { html, inline }),
      logFailure(event, error) {
        said.isComplete = false;
        log.error(event, { requestId, reason: errorMessage(error) });
      },
    };
    return { context, said };
  }

  async function respond(request: Request, page: PageRequest) {
    const { build, entry } = await loadEntry();
    const { context, said } = contextOf(page);
    const response = await handlerOf(build)(request, entry.createLoadContext(context));
    return { response, site: context.site, ...said };
  }

  return {
    async document({ address, siteTitle, requestId }: AnswerRequest): Promise<MadeAnswer> {
      const request = new Request(new URL(address, settings.siteUrl));
      const page = { siteTitle, requestId, isDocument: true };
      const { response, site, html, inline, isComplete, isFinal } = await respond(request, page);
      const location = response.headers.get("Location");
      if (html.length === 0 && location === null) throw new Error("The page cannot be rendered");
      return {
        body: html,
        isComplete: isComplete && response.status < 500,
        isFinal: isFinal && (response.status === 200 || !namesRow(address)),
        // What the visitor sees is the same, but nobody should keep a page that lacks what could not be read.
        status: isComplete ? response.status : 503,
        headers: {
          "Content-Type": "text/html; charset=utf-8",
          ...(location !== null && { Location: location }),
          ...(isProduction && { "Content-Security-Policy": contentSecurityPolicy(inline, site.backend.url) }),
          ...(!isComplete && { "Retry-After": RETRY_AFTER_SECONDS }),
        },
      };
    },
    async data(context: Context): Promise<Response> {
      const url = new URL(context.req.url);
      const page = {
        siteTitle: parts.titleOf(url.hostname),
        requestId: context.get("requestId"),
        isDocument: false,
      };
      // A request of our own: a visitor who has left must not look like a failure of the page.
      const { response, isComplete } = await respond(new Request(url), page);
      const encoding = chooseEncoding(context.req.header("Accept-Encoding"));
      const headers = new Headers(response.headers);
      const etag = headers.get("ETag");
      headers.set("Cache-Control", etag ? "no-cache" : "no-store");
      headers.set("Vary", "Accept-Encoding");
      if (etag && etag === context.req.header("If-None-Match"))
        return new Response(null, { status: 304, headers });
      const type = headers.get("Content-Type");
      if (type && !type.includes("charset")) headers.set("Content-Type", `${type}; charset=utf-8`);
      if (!isComplete) headers.set("Retry-After", RETRY_AFTER_SECONDS);
      if (encoding !== "identity") headers.set("Content-Encoding", encoding);
      const body = await compress(Buffer.from(await response.arrayBuffer()), encoding);
      return new Response(new Uint8Array(body), { status: isComplete ? response.status : 503, headers });
    },
    /** Renders the newest items' texts, so that their first readers need not wait. Never throws. */
    async renderAhead(end: AbortSignal): Promise<void> {
      try {
        const { context } = contextOf({ siteTitle: "", requestId: "", isDocument: false });
        await (await loadEntry()).entry.renderNewest(context, end);
      } catch (error) {
        if (!end.aborted) log.warn("render.ahead", { reason: errorMessage(error) });
      }
    },
  };
}
