import type { ReactNode } from "react";
import { Outlet, replace, useRouteLoaderData } from "react-router";
import type { Site } from "../common/page-services.ts";
import type { Route } from "./+types/root";
import { Document } from "./document/document.tsx";
import { ErrorPage } from "./document/error-page.tsx";
import { pageServices } from "./page-services.ts";
import { usePictureFrames } from "./pictures/use-picture-frames.ts";
import { historyIndex } from "./router/history-index.ts";
import { keepFailedLoadsPending } from "./router/page-load.ts";
import { openAuth } from "./session/open-auth.ts";
import { announce } from "./ui/announce.tsx";
import { focusHeading } from "./ui/focus.ts";

export function loader({ context }: Route.LoaderArgs): Site {
  return context.get(pageServices).site;
}

export const shouldRevalidate = () => false;

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepFailedLoadsPending];

/**
 * Signs out and opens the home page (specification §2, Shared layout). This is an action, because an action runs only
 * after the unsaved-changes guard has let the navigation pass, and it doesn't wait for the next page's code.
 */
export async function clientAction() {
  // If React Router can't load the home page's code, it reloads the browser's current URL. Change that URL to the home
  // page's before the request for the code fails.
  const isLeaving = location.pathname !== "/";
  if (isLeaving) history.pushState({ idx: (historyIndex() ?? 0) + 1 }, "", "/");
  const auth = await openAuth().catch(() => null);
  if (auth) {
    void auth.signOut();
    announce("You are signed out.");
    // The home page gets the focus when it opens. Until then, the button that has it stays (`TopBar`).
    if (!isLeaving) focusHeading();
  }
  return replace("/");
}

export function Layout({ children }: { children: ReactNode }) {
  return <Document site={useRouteLoaderData<typeof loader>("root")}>{children}</Document>;
}

export default function App() {
  usePictureFrames();
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} site={useRouteLoaderData<typeof loader>("root")} />;
}
