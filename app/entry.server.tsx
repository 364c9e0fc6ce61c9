import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { css as fontFaces } from "virtual:fonts";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  RouterContextProvider,
  ServerRouter,
} from "react-router";
import { KINDS } from "./content/kinds/index.ts";
import { renderAhead } from "./content/render-ahead.server.ts";
import { DocumentAssets } from "./document/assets.ts";
import enhance from "./document/enhance.js?minified";
import intent from "./document/intent.js?minified";
import { SESSION_HINT } from "./document/session-hint.ts";
import { stylesFor } from "./document/styles.server.ts";
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
  for (const kind of Object.values(KINDS)) await renderAhead(kind, context, end);
}

/** Without it React Router writes to the console. */
export const handleError: HandleErrorFunction = (error, { context }) => {
  if (import.meta.env.DEV) console.error(error);
  context.get(pageContext).logFailure("page.failed", error);
};

const PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;

/**
 * The intent script switches on the link, which browsers do not fetch before, and runs the scripts. React compares neither
 * the attributes of a script that it hydrates nor its preloads.
 */
function withholdApplication(html: string): string {
  const modules = [...html.matchAll(PRELOAD)].map(([, href]) => href);
  return html
    .replace(PRELOAD, "")
    .replace(
      "</style>",
      `$&<link rel="stylesheet" href="${sheetUrl}" data-modules="${modules.join(" ")}" disabled>`,
    )
    .replaceAll(
      "<script>window.__reactRouterContext",
      '<script type="text/plain" data-type="">window.__reactRouterContext',
    )
    .replace('<script type="module" async="">', '<script type="text/plain" data-type="module">');
}

/** Stands for the styles while React renders, because they depend on what it renders. No text holds a NUL. */
const STYLES = "\0styles";

const SCRIPT = `${enhance};${intent}`;

const BYTES = "latin1";
const wholeSheet = fontFaces + sheet;
const stylesOf = import.meta.env.PROD ? stylesFor(wholeSheet) : () => wholeSheet;

/** While React and React Router render, `mark` is the nonce of their scripts, which no content can know. */
function unmark(html: string, mark: string): { html: string; scripts: string[] } {
  const scripts: string[] = [];
  const attribute = ` nonce="${mark}"`;
  for (let at = html.indexOf(attribute); at !== -1; at = html.indexOf(attribute, at + 1)) {
    if (!html.slice(html.lastIndexOf("<", at), at).startsWith("<script")) continue;
    const begin = html.indexOf(">", at) + 1;
    const code = html.slice(begin, html.indexOf("</script>", begin));
    if (code !== "") scripts.push(Buffer.from(code, BYTES).toString());
  }
  return { html: html.replaceAll(attribute, ""), scripts };
}

function gather(done: (bytes: Buffer) => void): Writable {
  const chunks: Uint8Array[] = [];
  return new Writable({
    write(chunk: Uint8Array, _encoding, next) {
      chunks.push(chunk);
      next();
    },
    final(next) {
      done(Buffer.concat(chunks));
      next();
    },
  });
}

export default function renderDocument(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const { renderedHtml, keepDocument } = loadContext.get(pageContext);
  const mark = randomUUID();
  return new Promise((resolve, reject) => {
    const { pipe } = renderToPipeableStream(
      <DocumentAssets value={{ styles: STYLES, script: SCRIPT }}>
        <RenderedHtml value={(key) => renderedHtml.get(key)}>
          <ServerRouter context={routerContext} url={request.url} nonce={mark} />
        </RenderedHtml>
      </DocumentAssets>,
      {
        nonce: mark,
        onAllReady() {
          pipe(
            gather((bytes) => {
              const { html, scripts } = unmark(bytes.toString(BYTES), mark);
              const style = stylesOf(html);
              const document = (import.meta.env.PROD ? withholdApplication(html) : html).replace(STYLES, () =>
                Buffer.from(style).toString(BYTES),
              );
              const inline = { scripts: [SESSION_HINT, SCRIPT, ...scripts], styles: [style] };
              keepDocument(Buffer.from(document, BYTES), inline);
              resolve(new Response(null, { status, headers }));
            }),
          );
        },
        onShellError: reject,
        onError: reject,
      },
    );
  });
}
