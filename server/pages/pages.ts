import { createRequestHandler } from "react-router";
import type { DataClient } from "../../app/data/client.ts";
import type * as serverEntry from "../../app/entry.server.tsx";
import type { PageContext, Site } from "../../app/site.ts";
import { errorMessage } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { Render } from "../rendering/renderer.ts";
import type { Application } from "./application.ts";

export interface PageRequest {
  /** The path and the query. */
  address: string;
  siteTitle: string;
  /** Logged with failed reads. */
  requestId: string;
}

export interface PageDependencies {
  site: Omit<Site, "title">;
  build: Application["build"];
  data: DataClient;
  render: Render;
  log: Log;
  isProduction: boolean;
}

/** Returns a function that renders a page as a document or, for `.data` addresses, as data. */
export function createPages({ site, build, data, render, log, isProduction }: PageDependencies) {
  const handle = createRequestHandler(build, isProduction ? "production" : "development");

  async function loadEntry() {
    const { entry } = typeof build === "function" ? await build() : build;
    return entry.module as unknown as typeof serverEntry;
  }

  return async function renderPage({ address, siteTitle, requestId }: PageRequest): Promise<Response> {
    let isComplete = true;
    const context: PageContext = {
      site: { ...site, title: siteTitle },
      data,
      render,
      logFailure(event, error) {
        isComplete = false;
        log.error({ requestId, reason: errorMessage(error) }, event);
      },
    };
    const request = new Request(site.url + address);
    const response = await handle(request, (await loadEntry()).createLoadContext(context));
    const headers = new Headers(response.headers);
    const type = headers.get("content-type") ?? "text/plain";
    if (!type.includes("charset")) headers.set("content-type", `${type}; charset=utf-8`);
    // React Router sends data with the page's cache headers, but members need fresh data after a write.
    if (response.ok && !type.startsWith("text/html")) headers.set("cache-control", "no-cache");
    if (isComplete) return new Response(response.body, { status: response.status, headers });
    // Some reads failed: show the rest, but don't cache it.
    headers.set("cache-control", "no-store");
    headers.set("retry-after", "2");
    return new Response(response.body, { status: 503, headers });
  };
}
