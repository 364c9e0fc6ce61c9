import type { ReactNode } from "react";
import { Outlet, useRouteLoaderData } from "react-router";
import type { Route } from "./+types/root";
import { Document } from "./document/document.tsx";
import { ErrorPage } from "./document/error-page.tsx";
import { pageContext, type Site } from "./site.ts";

export function loader({ context }: Route.LoaderArgs): Site {
  return context.get(pageContext).site;
}

export const shouldRevalidate = () => false;

export function Layout({ children }: { children: ReactNode }) {
  return <Document site={useRouteLoaderData<typeof loader>("root")}>{children}</Document>;
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} site={useRouteLoaderData<typeof loader>("root")} />;
}
