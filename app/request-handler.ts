import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { type PageContext, pageContext } from "./page-context.ts";

// Assert the type, because the one that React Router generates is too loose for `exactOptionalPropertyTypes`.
const handle = createRequestHandler(build as ServerBuild, import.meta.env.MODE);

/**
 * Renders a page as a document or, for `.data` URLs, as data.
 * Must be part of the build: elsewhere, it would set a second copy of `pageContext`, and the loaders, which read the
 * build's copy, would find no value.
 */
export function handleRequest(request: Request, context: PageContext): Promise<Response> {
  const provider = new RouterContextProvider();
  provider.set(pageContext, context);
  return handle(request, provider);
}

export const { routes } = build;
