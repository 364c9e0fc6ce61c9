import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import type { PageServices } from "../common/page-services.ts";
import { pageServices } from "./page-services.ts";

// Assert the type, because the one that React Router generates is too loose for `exactOptionalPropertyTypes`.
const handle = createRequestHandler(build as ServerBuild, import.meta.env.MODE);

/**
 * Renders a page as a document or, for `.data` URLs, as data.
 * Must be part of the build: elsewhere, it would set a second copy of `pageServices`, and the loaders, which read the
 * build's copy, would find no value.
 */
export function handleRequest(request: Request, context: PageServices): Promise<Response> {
  const provider = new RouterContextProvider();
  provider.set(pageServices, context);
  return handle(request, provider);
}

export { searchAt } from "./content/search/search.ts";

export const { routes } = build;
