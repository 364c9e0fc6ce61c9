import { createRequestHandler } from "react-router";
import type { DataClient } from "../../app/data/client.ts";
import type * as serverEntry from "../../app/entry.server.tsx";
import type { InlineCode, PageContext, Site } from "../../app/site.ts";
import { errorMessage } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { Render } from "../rendering/renderer.ts";
import type { Application } from "./application.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const CACHEABLE = "public, max-age=0, s-maxage=1";

export interface PageRequest {
  /** Path and query. */
  address: string;
  siteTitle: string;
  /** For the log. */
  requestId: string;
}

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
    const said = { html: Buffer.alloc(0) as Buffer, inline, isComplete: true };
    const context: PageContext = {
      site: { ...site, title: siteTitle },
      data,
      async render(jobs) {
        const { html } = await render(jobs);
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

  async function respond({ address, siteTitle, requestId }: PageRequest, isDocument: boolean) {
    const { context, said } = contextOf(siteTitle, requestId, isDocument);
    const request = new Request(site.url + address);
    const response = await handle(request, (await loadEntry()).createLoadContext(context));
    const headers = new Headers(response.headers);
    if (!said.isComplete) headers.set("retry-after", "2");
    // Visitors see what could be read, but no cache may keep it.
    return { status: said.isComplete ? response.status : 503, headers, response, said };
  }

  return {
    async document(request: PageRequest): Promise<Response> {
      const { status, headers, said } = await respond(request, true);
      const { html, inline } = said;
      if (html.length === 0 && !headers.has("location")) throw new Error("The page cannot be rendered");
      headers.set("content-type", "text/html; charset=utf-8");
      if (status === 200) headers.set("cache-control", CACHEABLE);
      if (isProduction)
        headers.set("content-security-policy", contentSecurityPolicy(inline, site.backend.url));
      return new Response(html as Buffer<ArrayBuffer>, { status, headers });
    },
    async data(request: PageRequest): Promise<Response> {
      const { status, headers, response } = await respond(request, false);
      const type = headers.get("content-type") ?? "text/plain";
      if (!type.includes("charset")) headers.set("content-type", `${type}; charset=utf-8`);
      headers.set("cache-control", status === 200 ? "no-cache" : "no-store");
      return new Response(response.body, { status, headers });
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
