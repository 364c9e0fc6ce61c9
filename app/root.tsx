import { use, useEffect } from "react";
import {
  isRouteErrorResponse,
  Link,
  Meta,
  NavLink,
  Outlet,
  Scripts,
  UNSAFE_useScrollRestoration,
  useRouteLoaderData,
} from "react-router";
import type { Route } from "./+types/root";
import { DocumentAssets } from "./document-assets.ts";
import { SESSION_HINT } from "./session/session-hint.ts";
import { SessionProvider } from "./session/session-provider.tsx";
import { SignOutButton } from "./session/sign-out-button.tsx";
import { pageContext, type Site } from "./site.ts";
import { LiveRegion } from "./ui/announce.tsx";
import { Mark } from "./ui/icons.tsx";
import { usePageChange } from "./ui/page-change.ts";

/** Takes the request, returns everything that a page tells of its site; the same for every visitor. */
export function loader({ context }: Route.LoaderArgs): Site {
  return context.get(pageContext).site;
}

/** Returns that the site need not be asked for again: it does not change while a page is open. */
export const shouldRevalidate = () => false;

const DESTINATIONS = [
  ["/articles", "Articles"],
  ["/useful-links", "Useful Links"],
  ["/sample-code", "Sample Code"],
  ["/profile", "Profile"],
] as const;

function TopBar({ title }: { title: string }) {
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-8 px-5 py-2 sm:px-8 sm:py-3">
        <Link
          to="/"
          className="inline-flex min-h-11 items-center gap-2.5 font-display text-xl font-bold tracking-tight"
        >
          <Mark />
          {title}
        </Link>
        <nav
          aria-label="Main"
          className="order-last flex w-full flex-wrap gap-x-[4vw] sm:order-none sm:w-auto sm:gap-x-6"
        >
          {DESTINATIONS.map(([to, name]) => (
            <NavLink
              key={to}
              to={to}
              className="inline-flex min-h-11 items-center border-b-2 border-transparent text-sm text-muted sm:text-base hover:text-ink aria-[current=page]:border-mark aria-[current=page]:text-ink"
            >
              {name}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto min-h-11 in-data-session:min-w-24">
          <SignOutButton />
        </div>
      </div>
    </header>
  );
}

function Footer({ title }: { title: string }) {
  return (
    // As tall as its line from the beginning: on a short page it would climb when its text arrives after it.
    <footer className="mt-20 box-content min-h-21 border-t border-line">
      <p className="mx-auto max-w-6xl px-5 py-8 text-sm text-muted sm:px-8">
        © 2025 {title}. All rights reserved.
      </p>
    </footer>
  );
}

/**
 * Keeps the places that a visitor had scrolled to, while he goes from page to page. Not <ScrollRestoration>, which adds
 * a script to every document: where a document begins, the browser itself remembers the place.
 */
function ScrollMemory() {
  UNSAFE_useScrollRestoration();
  usePageChange();
  return null;
}

/**
 * Takes a page, returns the document around it; the error page is one, too. It tells the starter once the application
 * stands.
 */
export function Layout({ children }: { children: React.ReactNode }) {
  const { styles, starter } = use(DocumentAssets);
  const site = useRouteLoaderData<typeof loader>("root");
  const title = site?.title ?? "Techfolio";

  useEffect(() => {
    document.documentElement.dataset.ready = "true";
    dispatchEvent(new Event("ready"));
  }, []);

  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#faf8f4" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#131514" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own style sheet */}
        <style dangerouslySetInnerHTML={{ __html: styles }} />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own, in every document the same */}
        <script dangerouslySetInnerHTML={{ __html: SESSION_HINT }} />
      </head>
      <body className="flex min-h-dvh flex-col">
        <a
          href="#main"
          className="sr-only rounded-md bg-ink text-on-ink focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-10 focus:px-4 focus:py-3"
        >
          Skip to content
        </a>
        <SessionProvider backend={site?.backend}>
          <TopBar title={title} />
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-6xl flex-1 px-5 pt-10 outline-none sm:px-8 sm:pt-14"
          >
            {children}
          </main>
        </SessionProvider>
        <Footer title={title} />
        <LiveRegion />
        <ScrollMemory />
        <Scripts />
        {/* Behind the scripts that it may start at once. */}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own starter */}
        <script dangerouslySetInnerHTML={{ __html: starter }} suppressHydrationWarning />
      </body>
    </html>
  );
}

/** Returns the page that the address names. */
export default function App() {
  return <Outlet />;
}

/** Takes an error, returns the last resort: for an unknown address, or a failure that no page kept quiet. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const isUnknown = isRouteErrorResponse(error) && error.status === 404;
  const site = useRouteLoaderData<typeof loader>("root");
  const name = isUnknown ? "Page not found" : "Something went wrong";
  return (
    <div className="py-16">
      <title>{site ? `${name} · ${site.title}` : name}</title>
      <h1 className="font-display text-4xl font-bold tracking-tight">
        {isUnknown ? "This page does not exist" : "Something went wrong"}
      </h1>
      <p className="mt-4 max-w-prose text-muted">
        {isUnknown
          ? "The address may be misspelt, or what it named is gone."
          : "The page could not be shown. Please try again in a moment."}
      </p>
      <p className="mt-8">
        <Link to="/" className="font-semibold text-accent underline underline-offset-4">
          Go to the home page
        </Link>
      </p>
    </div>
  );
}
