import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider, type ServerBuild } from "react-router";
import { type PageContext, pageContext } from "./page-context.ts";

// React Router's generated types for the build are too loose for `exactOptionalPropertyTypes`.
const handle = createRequestHandler(build as ServerBuild, import.meta.env.MODE);

/**
 * Renders a page as a document or, for `.data` URLs, as data.
 * Outside the build, this function would import a second `pageContext`, which React Router treats as another context.
 */
export function handleRequest(request: Request, context: PageContext): Promise<Response> {
  const provider = new RouterContextProvider();
  provider.set(pageContext, context);
  return handle(request, provider);
}

export const { routes } = build;
