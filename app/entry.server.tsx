import { createHmac, randomBytes } from "node:crypto";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import fontFaces from "../.fonts/fonts.css?inline";
import { MAX_PAGE_BYTES } from "../common/page-services.ts";
import appStyles from "./document/app.css?inline";
import { INLINE_SCRIPTS } from "./document/before-paint.ts";
import { contentSecurityPolicy } from "./document/content-security-policy.ts";
import { Inline } from "./document/inline.tsx";
import { PRELOAD_TYPED_SEARCH } from "./list/preload-typed-search.ts";
import { pageServices } from "./page-services.ts";

/**
 * Logs the error and, through `logFailure`, keeps the broken page from being cached. React Router's default handler
 * only writes to the console.
 */
export const handleError: HandleErrorFunction = (error, { context }) => {
  if (import.meta.env.DEV) console.error(error);
  context.get(pageServices).logFailure("page.failed", error);
};

const styles = fontFaces + appStyles;
const scripts = { ...INLINE_SCRIPTS, head: `${INLINE_SCRIPTS.head};${PRELOAD_TYPED_SEARCH}` };

const nonceKey = randomBytes(32);

/**
 * Within a server process, equal pages get equal nonces, so that their bytes are also equal. The nonce is an HMAC over the
 * page's loader data, so stored text can't contain the nonce of its own page.
 */
const nonceFor = (url: string, data: string) =>
  createHmac("sha256", nonceKey)
    .update(JSON.stringify([url, data]))
    .digest("base64url");

export default async function renderDocument(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { site, logFailure } = loadContext.get(pageServices);
  const { loaderData, errors } = routerContext.staticHandlerContext;
  const data = JSON.stringify([loaderData, errors]);
  // Rendering it could need more memory than the process has.
  if (data.length > MAX_PAGE_BYTES) {
    logFailure("page.failed", new Error(`The page's data has ${data.length} characters`));
    return new Response("This page is too large to show.\n", { status: 503 });
  }
  const nonce = nonceFor(request.url, data);
  const output = new PassThrough();
  const { pipe } = renderToPipeableStream(
    <Inline value={{ nonce, styles, scripts }}>
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
    </Inline>,
    {
      nonce: { script: nonce, style: nonce },
      // Keeps the content of a large `<Suspense>` in its place. By default, React moves it to the end of the document,
      // from where only a script can bring it back.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => void pipe(output),
      onError: (error) => void output.destroy(error as Error),
    },
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  // Only in production: the policy would block the scripts that Vite's development server injects.
  if (import.meta.env.PROD) {
    headers.set("Content-Security-Policy", contentSecurityPolicy(nonce, site.backend.url));
  }
  return new Response(await buffer(output), { status, headers });
}
