import { Link } from "react-router";
import { itemPath, personPath } from "../../common/data/addresses.ts";
import { authorName } from "../../common/data/author.ts";
import type { ItemTitle } from "../../common/data/content-reads.ts";
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { TitleNote } from "../people/title-note.tsx";
import { useIsOperator } from "../session/session.ts";
import { FeedLink } from "../ui/feed-link.tsx";
import { LocalDate } from "../ui/local-date.tsx";
import { Panel } from "../ui/panel.tsx";
import { PersonLink } from "../ui/person-link.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Intro } from "./intro.tsx";
import type { Excerpt, HomeData } from "./load-home.server.ts";
import { Professionals } from "./professionals.tsx";

interface PanelProps<Item> {
  kind: KindDefinition;
  items?: Item[] | undefined;
}

function LatestExcerpts({ kind, items = [] }: PanelProps<Excerpt>) {
  const { latest, noItems } = kind.texts;
  return (
    <Panel
      title={latest}
      empty={items.length === 0 && noItems}
      end={
        <p className="mt-3 flex flex-wrap items-center gap-x-6">
          <TextLink to={kind.path}>All {kind.name.toLowerCase()}</TextLink>
          {kind.feed && <FeedLink feed={kind.feed} />}
        </p>
      }
    >
      <ul className="-mt-6 divide-y divide-rule">
        {items.map(({ id, title, excerpt, created_at, profiles }) => (
          <li key={id} className="group grid gap-x-10 gap-y-1 py-6 lg:grid-cols-ledger">
            <p className="font-mono text-sm leading-7 text-muted">
              <LocalDate time={created_at} />
            </p>
            <div className="min-w-0">
              <h3
                dir="auto"
                className="font-display text-xl font-bold tracking-tight text-balance sm:text-2xl sm:group-first:text-4xl"
              >
                <Link to={itemPath(kind, { id, title })} className="marked">
                  {title}
                </Link>
              </h3>
              <p className="mt-2 text-sm">
                By <PersonLink to={personPath(profiles.slug)} name={authorName(profiles)} />
              </p>
            </div>
            <p className="max-w-measure min-w-0 text-prose text-muted max-lg:mt-1" dir="auto">
              {excerpt}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function LatestTitles({ kind, items = [] }: PanelProps<ItemTitle>) {
  const { latest, noItems } = kind.texts;
  return (
    <Panel title={latest} empty={items.length === 0 && noItems}>
      <ul
        aria-label={latest}
        className="-mt-6 h-80 overflow-y-auto border-b border-rule [content-visibility:auto] print:h-auto"
      >
        {items.map((item) => (
          <li key={item.id} className="border-b border-rule last:border-b-0">
            <Link
              to={`${kind.path}#${item.id}`}
              className="flex min-h-12 items-center justify-between gap-4 px-1 py-2.5 inset-focus hover:bg-marker hover:text-on-marker"
            >
              <span dir="auto" className="min-w-0">
                {item.title}
              </span>
              <span className="flex max-w-1/2 shrink-0">
                <TitleNote kind={kind} item={item} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const TEXT_LINK = "underline underline-offset-4 hover:bg-marker hover:text-on-marker";

/** Explains to the first members what to do on a site that has no content yet. Only operators can add people. */
function FirstSteps() {
  const isOperator = useIsOperator();
  return (
    <Panel title="First Steps">
      <ol className="max-w-measure list-decimal space-y-3 ps-6 text-prose">
        {isOperator && (
          <li>
            <Link to="/admin#members" className={TEXT_LINK}>
              Add people
            </Link>
          </li>
        )}
        <li>
          <Link to="/profile" className={TEXT_LINK}>
            Fill in your profile
          </Link>
          , and tick Featured Professional to appear on this page.
        </li>
        {KINDS.map(({ table, path, texts }) => (
          <li key={table}>
            <Link to={path} className={TEXT_LINK}>
              {texts.createHeading}
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

export function HomePage({ home: { professionals, excerpts, titles, isEmpty } }: { home: HomeData }) {
  return (
    <div className="space-y-16">
      <Intro />
      {isEmpty && <FirstSteps />}
      <Professionals professionals={professionals} />
      {KINDS.filter(({ excerptColumn }) => excerptColumn).map((kind) => (
        <LatestExcerpts key={kind.table} kind={kind} items={excerpts[kind.table]} />
      ))}
      <div className="grid gap-x-6 gap-y-16 lg:grid-cols-2">
        {KINDS.filter(({ excerptColumn }) => !excerptColumn).map((kind) => (
          <LatestTitles key={kind.table} kind={kind} items={titles[kind.table]} />
        ))}
      </div>
    </div>
  );
}
