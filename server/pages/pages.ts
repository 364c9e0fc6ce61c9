import { createRequestHandler } from "react-router";
import type { DataClient } from "../../app/data/client.ts";
import type * as serverEntry from "../../app/entry.server.tsx";
import { CACHEABLE, type PageContext, type Site } from "../../app/site.ts";
import { errorMessage } from "../config/error-message.ts";
import type { Log } from "../http/log.ts";
import type { Render } from "../rendering/renderer.ts";
import type { Application } from "./application.ts";
import type { AnswerRequest, MakeAnswer } from "./cached.ts";

export interface PageParts {
  site: Omit<Site, "title">;
  build: Application["build"];
  data: DataClient;
  render: Render;
  log: Log;
  isProduction: boolean;
}

/** Renders documents and their data (`.data`). */
export function createPages({ site, build, data, render, log, isProduction }: PageParts): MakeAnswer {
  const handle = createRequestHandler(build, isProduction ? "production" : "development");

  async function loadEntry() {
    const { entry } = typeof build === "function" ? await build() : build;
    return entry.module as unknown as typeof serverEntry;
  }

  return async ({ address, siteTitle, requestId }: AnswerRequest) => {
    let [isComplete, isFinal] = [true, true];
    const context: PageContext = {
      site: { ...site, title: siteTitle },
      data,
      async render(jobs) {
        const rendered = await render(jobs);
        isFinal &&= rendered.isFinal;
        return rendered.html;
      },
      logFailure(event, error) {
        isComplete = false;
        log.error({ requestId, reason: errorMessage(error) }, event);
      },
    };
    // A path may begin with two slashes, which `new URL` would take for a host.
    const request = new Request(site.url + address);
    const response = await handle(request, (await loadEntry()).createLoadContext(context));
    const headers = Object.fromEntries(response.headers);
    const type = headers["content-type"] ?? "text/plain";
    return {
      isFinal: isFinal && headers["cache-control"] === CACHEABLE,
      // Visitors see the page, but no cache or crawler may keep one that lacks what could not be read.
      status: isComplete ? response.status : 503,
      headers: {
        ...headers,
        "content-type": type.includes("charset") ? type : `${type}; charset=utf-8`,
        ...(!isComplete && { "cache-control": "no-store", "retry-after": "2" }),
      },
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
}
