import { randomUUID } from "node:crypto";
import { PassThrough } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  RouterContextProvider,
  ServerRouter,
} from "react-router";
import fontFaces from "../.fonts/fonts.css?inline";
import { KINDS } from "./content/kinds/index.ts";
import { renderAhead } from "./content/render-ahead.server.ts";
import enhance from "./document/enhance.js?minified";
import intent from "./document/intent.js?minified";
import { stylesFor } from "./document/styles.server.ts";
import { SESSION_KEY } from "./session/storage.ts";
import { type PageContext, pageContext } from "./site.ts";
import sheet from "./ui/app.css?inline";
import sheetUrl from "./ui/app.css?url";
import { RenderedHtml } from "./ui/server-html.tsx";

export function createLoadContext(context: PageContext): RouterContextProvider {
  const provider = new RouterContextProvider();
  provider.set(pageContext, context);
  return provider;
}

export async function renderNewest(context: PageContext, end: AbortSignal): Promise<void> {
  for (const kind of KINDS) await renderAhead(kind, context, end);
}

/** Without it React Router writes to the console. */
export const handleError: HandleErrorFunction = (error, { context }) => {
  if (import.meta.env.DEV) console.error(error);
  context.get(pageContext).logFailure("page.failed", error);
};

/** Keeps the member's places free before the first paint, so that nothing moves when they are filled. */
const HINT = `try{localStorage.getItem("${SESSION_KEY}")&&document.documentElement.setAttribute("data-session","")}catch{}`;
const SCRIPT = `${enhance};${intent}`;

/** Documents stay in bytes: to decode and to encode them takes a fifth of the time of a rendering. */
const BYTES = "latin1";

const wholeSheet = fontFaces + sheet;
const stylesOf = import.meta.env.PROD ? stylesFor(wholeSheet) : () => wholeSheet;

const PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;

/** The intent script switches the sheet on, which browsers do not fetch before, and runs the scripts. */
function withholdApplication(html: string): { html: string; sheet: string } {
  const modules = [...html.matchAll(PRELOAD)].map(([, href]) => href).join(" ");
  return {
    sheet: `<link rel="stylesheet" href="${sheetUrl}" data-modules="${modules}" disabled>`,
    // React compares neither the attributes of a script that it hydrates nor its preloads.
    html: html
      .replace(PRELOAD, "")
      .replaceAll(
        "<script>window.__reactRouterContext",
        '<script type="text/plain" data-type="">window.__reactRouterContext',
      )
      .replace('<script type="module" async="">', '<script type="text/plain" data-type="module">'),
  };
}

const inBytes = (text: string) => Buffer.from(text).toString(BYTES);
const END = inBytes(`<script>${SCRIPT}</script></body></html>`);

/** React passes over what it did not render where that stands last in the head or the body. */
function complete(rendered: string, style: string): string {
  const { html, sheet } = import.meta.env.PROD
    ? withholdApplication(rendered)
    : { html: rendered, sheet: "" };
  const ours = inBytes(`<style>${style}</style>${sheet}<script>${HINT}</script></head>`);
  return html.replace("</head>", () => ours).replace(/<\/body><\/html>$/, () => END);
}

/** While React and React Router render, `mark` is the nonce of their scripts, which no content can know. */
function unmark(html: string, mark: string): { html: string; scripts: string[] } {
  const attribute = ` nonce="${mark}"`;
  const marked = new RegExp(`<script\\b[^>]*${attribute}[^>]*>(.*?)</script>`, "gs");
  const scripts = [...html.matchAll(marked)].flatMap(([, code]) =>
    code ? Buffer.from(code, BYTES).toString() : [],
  );
  return { html: html.replaceAll(attribute, ""), scripts };
}

export default async function renderDocument(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { renderedHtml, keepDocument } = loadContext.get(pageContext);
  const mark = randomUUID();
  const output = new PassThrough();
  const { pipe } = renderToPipeableStream(
    <RenderedHtml value={(key) => renderedHtml.get(key)}>
      <ServerRouter context={routerContext} url={request.url} nonce={mark} />
    </RenderedHtml>,
    {
      nonce: mark,
      onAllReady: () => void pipe(output),
      onError: (error) => void output.destroy(error as Error),
    },
  );
  const rendered = Buffer.concat(await output.toArray()).toString(BYTES);
  const { html, scripts } = unmark(rendered, mark);
  const style = stylesOf(html);
  const document = complete(html, style);
  keepDocument(Buffer.from(document, BYTES), { scripts: [HINT, SCRIPT, ...scripts], styles: [style] });
  return new Response(null, { status, headers });
}
