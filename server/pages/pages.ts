import { createRequestHandler } from "react-router";
import type { DataClient } from "../../app/data/client.ts";
import type * as serverEntry from "../../app/entry.server.tsx";
import type { InlineCode, PageContext, Site } from "../../app/site.ts";
import { errorMessage } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { Render } from "../rendering/renderer.ts";
import type { Application } from "./application.ts";
import { namesRow } from "./cache-key.ts";
import type { AnswerRequest } from "./cached.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import type { MadeAnswer } from "./response-cache.ts";

const RETRY_AFTER = { "retry-after": "2" };

export interface PageParts {
  site: Omit<Site, "title">;
  build: Application["build"];
  data: DataClient;
  render: Render;
  log: Log;
  isProduction: boolean;
}

export function createPages({ site, build, data, render, log, isProduction }: PageParts) {
  const handle = createRequestHandler(build, isProduction ? "production" : "development");

  async function loadEntry() {
    const { entry } = typeof build === "function" ? await build() : build;
    return entry.module as unknown as typeof serverEntry;
  }

  function contextOf(siteTitle: string, requestId: string, isDocument: boolean) {
    const inline: InlineCode = { scripts: [], styles: [] };
    const said = { html: Buffer.alloc(0) as Buffer, inline, isComplete: true, isFinal: true };
    const context: PageContext = {
      site: { ...site, title: siteTitle },
      data,
      async render(jobs) {
        const { html, isFinal } = await render(jobs);
        said.isFinal &&= isFinal;
        return html;
      },
      isDocument,
      renderedHtml: new Map(),
      keepDocument: (html, inline) => void Object.assign(said, { html, inline }),
      logFailure(event, error) {
        said.isComplete = false;
        log.error({ requestId, reason: errorMessage(error) }, event);
      },
    };
    return { context, said };
  }

  async function respond({ address, siteTitle, requestId }: AnswerRequest, isDocument: boolean) {
    const { context, said } = contextOf(siteTitle, requestId, isDocument);
    // A path may begin with two slashes, which `new URL` would take for a host.
    const request = new Request(site.url + address);
    const response = await handle(request, (await loadEntry()).createLoadContext(context));
    const { html, inline, isComplete, isFinal } = said;
    const answer = {
      isFinal,
      // What the visitor sees is the same, but nobody should keep a page that lacks what could not be read.
      status: isComplete ? response.status : 503,
      headers: isComplete ? {} : RETRY_AFTER,
    };
    return { response, answer, html, inline };
  }

  return {
    async document(request: AnswerRequest): Promise<MadeAnswer> {
      const { response, answer, html, inline } = await respond(request, true);
      const location = response.headers.get("location");
      if (html.length === 0 && location === null) throw new Error("The page cannot be rendered");
      return {
        ...answer,
        body: html,
        isFinal: answer.isFinal && (response.status === 200 || !namesRow(request.address)),
        headers: {
          ...answer.headers,
          "content-type": "text/html; charset=utf-8",
          ...(location !== null && { location }),
          ...(isProduction && {
            "content-security-policy": contentSecurityPolicy(inline, site.backend.url),
          }),
        },
      };
    },
    async data(request: AnswerRequest): Promise<MadeAnswer> {
      const { response, answer } = await respond(request, false);
      const headers = Object.fromEntries(response.headers);
      const type = headers["content-type"] ?? "text/plain";
      const charset = type.includes("charset") ? "" : "; charset=utf-8";
      return {
        ...answer,
        body: Buffer.from(await response.arrayBuffer()),
        headers: { ...headers, ...answer.headers, "content-type": type + charset },
      };
    },
    /** Renders the newest items' texts, so that their first readers need not wait. Never throws. */
    async renderAhead(end: AbortSignal): Promise<void> {
      try {
        const { context } = contextOf("", "", false);
        await (await loadEntry()).renderNewest(context, end);
      } catch (error) {
        if (!end.aborted) log.warn({ reason: errorMessage(error) }, "render.ahead");
      }
    },
  };
}
