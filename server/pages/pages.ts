import type { JoinState } from "../../common/data/invitation-links.ts";
import type { DataReader } from "../../common/data/reader.ts";
import { MAX_PAGE_BYTES, type PageServices, type Site } from "../../common/page-services.ts";
import { errorMessage } from "../config/error-message.ts";
import type { ReportFailure } from "../http/access-log.ts";
import type { Render } from "../rendering/renderer.ts";
import type { Application } from "./application.ts";

export interface PageRequest {
  /** The path and the query. */
  address: string;
  siteTitle: string;
  /** The state of an invitation link's page after its form was sent. */
  joinState?: JoinState;
  /** A form that was sent to the page, for the page's action. */
  sent?: Required<Pick<PageServices, "addReport">> & { body: string };
  /** Called for each read that fails while the page is rendered. */
  reportFailure: ReportFailure;
}

export interface PageDependencies {
  /** Called for each page, because the ways to sign in can change. */
  site(): Omit<Site, "title">;
  handleRequest: Application["handleRequest"];
  data: DataReader;
  render: Render;
  readJoinState?: NonNullable<PageServices["readJoinState"]>;
}

/** Returns a function that renders a page as a document or, for `.data` addresses, as data. */
export function createPages({ site, handleRequest, data, render, readJoinState }: PageDependencies) {
  return async function renderPage({
    address,
    siteTitle,
    joinState,
    reportFailure,
    sent,
  }: PageRequest): Promise<Response> {
    let isComplete = true;
    const current = site();
    const context: PageServices = {
      site: { ...current, title: siteTitle },
      data,
      render,
      ...(readJoinState && { readJoinState: async (code: string) => joinState ?? readJoinState(code) }),
      logFailure(event, error) {
        isComplete = false;
        reportFailure({ reason: errorMessage(error) }, event);
      },
      ...(sent && { addReport: sent.addReport }),
    };
    // Pass on only the URL: the page is cached for all visitors, so it can't depend on one visitor's headers.
    const response = await handleRequest(new Request(current.url + address, sent && postOf(sent)), context);
    const headers = new Headers(response.headers);
    const type = headers.get("content-type") ?? "text/plain";
    if (!type.includes("charset")) headers.set("content-type", `${type}; charset=utf-8`);
    // React Router sends data with the page's cache headers, but members need fresh data after a write.
    if (response.ok && !type.startsWith("text/html")) headers.set("cache-control", "no-cache");
    const body = response.body?.pipeThrough(limitBytes(MAX_PAGE_BYTES)) ?? null;
    if (isComplete) return new Response(body, { status: response.status, headers });
    // Some reads failed: show the rest, but don't cache it.
    headers.set("cache-control", "no-store");
    headers.set("retry-after", "2");
    return new Response(body, { status: 503, headers });
  };
}

const postOf = ({ body }: { body: string }): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
  body,
});

/** Fails once more than `limit` bytes have passed through. */
function limitBytes(limit: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > limit) throw new Error(`The page has more than ${limit} bytes`);
      controller.enqueue(chunk);
    },
  });
}
