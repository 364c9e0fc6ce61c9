import type { ReactNode } from "react";
import { Meta, Scripts } from "react-router";
import type { Site } from "../../common/page-services.ts";
import { DeletionNotice, DeletionProvider } from "../history/deletion-context.tsx";
import { SessionSync } from "../session/session-sync.tsx";
import { LiveRegion } from "../ui/announce.tsx";
import { useCopyButtons } from "../ui/copy.ts";
import { Footer } from "./footer.tsx";
import { InlineScript, InlineStyles } from "./inline.tsx";
import { Navigation } from "./navigation.tsx";
import { TopBar } from "./top-bar.tsx";

export function Document({ site, children }: { site: Site | undefined; children: ReactNode }) {
  const title = site?.title ?? "Techfolio";

  useCopyButtons();

  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#f6f6f1" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#10130f" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <Meta />
        {site && (
          <link
            rel="search"
            type="application/opensearchdescription+xml"
            title={title}
            href={`${site.url}/opensearch.xml`}
          />
        )}
        <InlineStyles />
        <InlineScript place="head" />
      </head>
      <body className="flex min-h-dvh flex-col">
        <a
          href="#main"
          className="sr-only bg-ink text-paper focus:not-sr-only focus:absolute focus:top-2 focus:start-2 focus:z-10 focus:px-4 focus:py-3"
        >
          Skip to content
        </a>
        <TopBar title={title} logo={site?.logo} />
        <main
          id="main"
          tabIndex={-1}
          className="mx-auto w-full max-w-7xl flex-1 px-5 pt-10 outline-none sm:px-8 sm:pt-14"
        >
          <DeletionProvider>
            <DeletionNotice place="page" />
            {children}
          </DeletionProvider>
        </main>
        <SessionSync backend={site?.backend} />
        <Footer title={title} links={site?.footerLinks ?? []} />
        <LiveRegion />
        <Navigation />
        <InlineScript place="body" />
        <Scripts />
      </body>
    </html>
  );
}
