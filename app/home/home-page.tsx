import type { ReactNode } from "react";
import { LANGUAGES } from "../data/vocabulary.ts";
import { Chip } from "../ui/chip.tsx";
import { LocalDate } from "../ui/local-date.tsx";
import { Empty, Panel } from "../ui/panel.tsx";
import { Intro } from "./intro.tsx";
import type { HomeData } from "./load-home.ts";
import { Professionals } from "./professionals.tsx";

function LatestArticles({ articles }: { articles: HomeData["articles"] }) {
  return (
    <Panel title="Latest Articles">
      {articles.length === 0 ? (
        <Empty>No articles published yet.</Empty>
      ) : (
        <ul className="grid gap-x-6 gap-y-8 lg:grid-cols-3">
          {articles.map((article) => (
            <li key={article.id}>
              <p className="text-sm text-muted">
                <LocalDate time={article.createdAt} />
              </p>
              <h3 className="mt-1 font-display text-xl leading-7 font-bold tracking-tight text-balance">
                {/* A plain link: the browser itself brings the card into view and marks it as the target. */}
                <a href={`/articles#${article.id}`} className="underline-offset-4 hover:underline">
                  {article.title}
                </a>
              </h3>
              <p className="mt-2 leading-6 text-muted">{article.excerpt}</p>
              <p className="mt-2.5 text-sm">
                By <bdi>{article.author}</bdi>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

interface ListItem {
  id: string;
  title: string;
  badge: ReactNode;
}

function LatestList({
  title,
  path,
  items,
  empty,
}: {
  title: string;
  path: string;
  items: ListItem[];
  empty: string;
}) {
  return (
    <Panel title={title}>
      {items.length === 0 ? (
        <Empty>{empty}</Empty>
      ) : (
        <ul
          // A box that scrolls takes the focus, so that the keyboard can scroll it.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
          tabIndex={0}
          aria-label={title}
          className="h-80 overflow-y-auto rounded-lg border border-line bg-surface"
        >
          {items.map((item) => (
            <li key={item.id} className="border-b border-line last:border-b-0">
              <a
                href={`${path}#${item.id}`}
                className="flex min-h-12 items-center justify-between gap-4 px-4 py-2.5 -outline-offset-2 hover:bg-sunken"
              >
                <span className="min-w-0">{item.title}</span>
                <span className="flex max-w-1/2 shrink-0">{item.badge}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Takes the four panels' data, returns the home page (specification §2, Home). */
export function HomePage({ home }: { home: HomeData }) {
  return (
    <div className="space-y-16">
      <Intro />
      <Professionals professionals={home.professionals} />
      <LatestArticles articles={home.articles} />
      <div className="grid gap-x-6 gap-y-16 lg:grid-cols-2">
        <LatestList
          title="Latest Useful Links"
          path="/useful-links"
          empty="No useful links yet."
          items={home.links.map((link) => ({ ...link, badge: <Chip>{link.category}</Chip> }))}
        />
        <LatestList
          title="Latest Code Samples"
          path="/sample-code"
          empty="No code samples yet."
          items={home.samples.map((sample) => ({
            ...sample,
            badge: <Chip>{LANGUAGES[sample.language] ?? sample.language}</Chip>,
          }))}
        />
      </div>
    </div>
  );
}
