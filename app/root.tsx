import type { ReactNode } from "react";
import { Outlet, replace, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/root";
import { Document } from "./document/document.tsx";
import { ErrorPage } from "./document/error-page.tsx";
import { useBrokenPictures } from "./pictures/use-broken-pictures.ts";
import { openAuth } from "./session/open-auth.ts";
import { pageContext, type Site } from "./site.ts";
import { announce } from "./ui/announce.tsx";
import { focusHeading } from "./ui/focus.ts";
import { placeInHistory } from "./ui/place-in-history.ts";

export function loader({ context }: Route.LoaderArgs): Site {
  return context.get(pageContext).site;
}

export const shouldRevalidate = () => false;

/**
 * Signing out leads home (specification §2, Shared layout); no page's code need be fetched to end the session. As the
 * action of a navigation it runs behind the unsaved-changes guard and before the address changes.
 */
export async function clientAction() {
  const auth = await openAuth().catch(() => null);
  if (auth) {
    void auth.signOut();
    announce("You are signed out.");
    focusHeading();
  }
  // Where home's code cannot be fetched, React Router reloads the page: that is to be home.
  if (location.pathname !== "/") history.pushState({ idx: (placeInHistory() ?? 0) + 1 }, "", "/");
  return replace("/");
}

export function Layout({ children }: { children: ReactNode }) {
  return <Document site={useRouteLoaderData<typeof loader>("root")}>{children}</Document>;
}

export default function App() {
  useBrokenPictures();
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} site={useRouteLoaderData<typeof loader>("root")} />;
}
